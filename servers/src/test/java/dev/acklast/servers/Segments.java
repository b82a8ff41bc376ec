package dev.acklast.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The kernel's System V shared memory. */
final class Segments {
  private Segments() {}

  /** The ids of all segments, of whoever they are. */
  static List<String> all() throws IOException {
    return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream()
        .skip(1)
        .map(line -> line.trim().split(" +")[1])
        .toList();
  }
}
