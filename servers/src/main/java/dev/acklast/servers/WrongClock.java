package dev.acklast.servers;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes whose clocks are wrong, by {@code libfaketime}, as Debian's package of that name
 * installs it. What has such a clock is slower: each look at the time costs microseconds.
 */
public final class WrongClock {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final Path SHARED = Path.of("/dev/shm");

  private WrongClock() {}

  /** Whether the library is installed. */
  public static boolean isPossible() {
    return library() != null;
  }

  /**
   * What a process must find in its environment at its start.
   *
   * @param offset how far its clock is ahead, to the second; negative if it is behind
   * @throws IllegalStateException if the library is not installed
   */
  public static Map<String, String> environment(Duration offset) {
    Path library = library();
    if (library == null) {
      throw new IllegalStateException("A wrong clock needs Debian's package libfaketime");
    }
    String sign = offset.isNegative() ? "" : "+";
    return Map.of("LD_PRELOAD", library.toString(), "FAKETIME", sign + offset.toSeconds());
  }

  private static @Nullable Path library() {
    if (!Files.isDirectory(LIBRARIES)) {
      return null;
    }
    try (DirectoryStream<Path> platforms = Files.newDirectoryStream(LIBRARIES, "*-linux-gnu*")) {
      for (Path platform : platforms) {
        Path library = platform.resolve("faketime/libfaketimeMT.so.1");
        if (Files.isReadable(library)) {
          return library;
        }
      }
    } catch (IOException e) {
      return null; // not readable: not usable either
    }
    return null;
  }

  /** Removes what the library leaves of a process that was killed; does nothing for others. */
  public static void tidy(long pid) throws IOException {
    Files.deleteIfExists(SHARED.resolve("faketime_shm_" + pid));
    Files.deleteIfExists(SHARED.resolve("sem.faketime_sem_" + pid));
  }
}
