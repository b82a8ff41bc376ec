package dev.acklast.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small disk that can be filled: a tmpfs, mounted for this run. Needs root, and a mount namespace
 * of its own, so that it is gone with the process however that ends: {@code bin/chaos} sees to it.
 */
final class Ballast implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Ballast.class);
  private static final String ALLOWED = "acklast.chaos.mount";
  private static final String SIZE = "1024m";
  private static final int BLOCK = 1 << 20;

  private final Path disk;

  private Ballast(Path disk) {
    this.disk = disk;
  }

  /** Mounts one at this empty folder; null where that is not possible. */
  static @Nullable Ballast mount(Path folder) throws IOException, InterruptedException {
    if (!Boolean.getBoolean(ALLOWED)) {
      return null;
    }
    Files.createDirectories(folder);
    if (!run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "acklast-chaos", folder.toString())) {
      return null;
    }
    return new Ballast(folder);
  }

  /** Where servers may put their data. */
  Path disk() {
    return disk;
  }

  /** Fills the disk to its last byte. */
  void fill() throws IOException {
    byte[] block = new byte[BLOCK];
    try (OutputStream file = Files.newOutputStream(disk.resolve("ballast"))) {
      for (int size = BLOCK; size > 0; ) {
        size = write(file, block, size) ? size : size / 2;
      }
    }
  }

  private static boolean write(OutputStream file, byte[] block, int size) {
    try {
      file.write(block, 0, size);
      return true;
    } catch (IOException e) {
      return false; // full: a smaller piece may fit
    }
  }

  /** Makes room again. */
  void empty() throws IOException {
    Files.deleteIfExists(disk.resolve("ballast"));
  }

  @Override
  public void close() {
    try {
      run("umount", "-l", disk.toString());
    } catch (IOException e) {
      log.warn("The small disk stays mounted at {}", disk, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }
}
