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

  /** The id of the segment of the PostgreSQL that runs on this data, or was killed there. */
  static String of(Path data) throws IOException {
    return Files.readAllLines(data.resolve("postmaster.pid")).get(6).trim().split(" +")[1];
  }
}
