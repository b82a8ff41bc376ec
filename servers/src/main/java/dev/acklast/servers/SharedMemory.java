package dev.acklast.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The System V shared memory by which PostgreSQL sees that its data is in use. The kernel keeps
 * that of a killed server until another one starts on the same data, and has room for 4,096.
 */
final class SharedMemory {
  /** The line of {@code postmaster.pid} with the segment's key and id. */
  private static final int LINE = 6;

  private SharedMemory() {}

  /** Gives back what a killed server with this data folder has left, if there was one. */
  static void release(Path data) {
    String id = id(data);
    if (id != null) {
      ShellCommand.run(Duration.ofSeconds(5), List.of("ipcrm", "-m", id));
    }
  }

  /** The id of the segment; null where no PostgreSQL runs or was killed. */
  static @Nullable String id(Path data) {
    try {
      List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
      String[] keyAndId = lines.size() > LINE ? lines.get(LINE).trim().split(" +") : new String[0];
      return keyAndId.length == 2 ? keyAndId[1] : null;
    } catch (IOException e) {
      return null;
    }
  }
}
