package dev.acklast.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The System V shared memory by which PostgreSQL sees that its data is in use. The kernel keeps
 * that of a killed server until another one starts on the same data, and has room for 4,096. On
 * Linux; elsewhere it stays.
 */
final class SharedMemory {
  private static final Path SEGMENTS = Path.of("/proc/sysvipc/shm");

  /** The line of {@code postmaster.pid} with the segment's key and id; the first has the pid. */
  private static final int LINE = 6;

  // The columns of the kernel's list.
  private static final int KEY = 0;
  private static final int ID = 1;
  private static final int CREATOR = 4;
  private static final int ATTACHED = 6;

  private SharedMemory() {}

  /** Gives back what a killed server with this data folder has left, if there was one. */
  static void release(Path data) {
    String id = abandoned(data);
    if (id != null) {
      ShellCommand.run(Duration.ofSeconds(5), List.of("ipcrm", "-m", id));
    }
  }

  /**
   * The id of the segment, if nobody uses it. After a restart of the machine the same id may be
   * somebody else's, so key and creator must be the same too.
   */
  private static @Nullable String abandoned(Path data) {
    try {
      List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
      if (lines.size() <= LINE) {
        return null;
      }
      String[] keyAndId = words(lines.get(LINE));
      for (String line : Files.readAllLines(SEGMENTS)) {
        String[] segment = words(line);
        if (segment[KEY].equals(keyAndId[0])
            && segment[ID].equals(keyAndId[1])
            && segment[CREATOR].equals(lines.get(0).trim())
            && segment[ATTACHED].equals("0")) {
          return segment[ID];
        }
      }
      return null;
    } catch (IOException e) {
      return null; // no PostgreSQL, one that ended in order, or no Linux
    }
  }

  private static String[] words(String line) {
    return line.trim().split(" +");
  }
}
