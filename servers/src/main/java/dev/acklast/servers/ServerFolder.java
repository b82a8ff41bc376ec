package dev.acklast.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * One native server's folder: data, configuration, log. It lies under the system property {@code
 * acklast.servers.folder}, by default the temporary folder, and is deleted when closed. A lock
 * shows that its owner lives: what a killed JVM left behind is deleted by the next one.
 */
final class ServerFolder implements AutoCloseable {
  private static final String PREFIX = "acklast-server-";
  private static final String LOCK = "owner.lock";
  private static final String DATA = "data";
  private static final int HEAD_LINES = 10;
  private static final int TAIL_LINES = 30;

  /**
   * This JVM's own. Their locks are never tried: POSIX drops all of a process' locks on a file as
   * soon as the process closes any of its handles on that file, and then other JVMs would delete
   * folders in use. The locks are held here, since a garbage-collected handle is closed, too.
   */
  private static final Map<Path, FileChannel> OWN = new ConcurrentHashMap<>();

  private final Path path;
  private final FileChannel lock;
  private long startOffset;

  private ServerFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  static synchronized ServerFolder create(String kind) {
    String base =
        System.getProperty("acklast.servers.folder", System.getProperty("java.io.tmpdir"));
    try {
      Path parent = Files.createDirectories(Path.of(base)).toRealPath();
      deleteAbandoned(parent);
      Path path = Files.createTempDirectory(parent, PREFIX + kind + "-");
      FileChannel channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      OWN.put(path, channel);
      channel.lock();
      return new ServerFolder(path, channel);
    } catch (IOException e) {
      throw new UncheckedIOException("No folder for a server can be made in " + base, e);
    }
  }

  Path path() {
    return path;
  }

  Path log() {
    return path.resolve("server.log");
  }

  /** Says that what the log gets from now on belongs to another start of the server. */
  void markStart() {
    try {
      startOffset = Files.exists(log()) ? Files.size(log()) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The log's last 30 lines since the last start, and its first 10, where causes stand. */
  String logTail() {
    try (InputStream input = Files.newInputStream(log())) {
      input.skipNBytes(startOffset);
      List<String> lines = new String(input.readAllBytes(), UTF_8).lines().toList();
      int tail = Math.max(0, lines.size() - TAIL_LINES);
      List<String> shown = new ArrayList<>(lines.subList(0, Math.min(HEAD_LINES, tail)));
      if (tail > HEAD_LINES) {
        shown.add("[…]");
      }
      shown.addAll(lines.subList(tail, lines.size()));
      return String.join("\n", shown);
    } catch (IOException e) {
      return "(the log cannot be read: " + e.getMessage() + ")";
    }
  }

  /** For the server's data. */
  Path data() {
    return path.resolve(DATA);
  }

  /** Writes a small file into this folder. */
  Path write(String name, String content) {
    try {
      return Files.writeString(path.resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    deleteTree(path);
    if (!Files.exists(path)) {
      OWN.remove(path);
    }
  }

  private static void deleteAbandoned(Path parent) throws IOException {
    try (Stream<Path> folders = Files.list(parent)) {
      folders
          .filter(folder -> folder.getFileName().toString().startsWith(PREFIX))
          .filter(folder -> !OWN.containsKey(folder))
          .filter(ServerFolder::isAbandoned)
          .forEach(ServerFolder::deleteTree);
    }
  }

  private static boolean isAbandoned(Path folder) {
    Path lock = folder.resolve(LOCK);
    try {
      // A young folder may belong to a JVM that is about to take the lock.
      Instant youngest = Instant.now().minus(Duration.ofMinutes(1));
      if (!Files.isWritable(lock)
          || Files.getLastModifiedTime(lock).toInstant().isAfter(youngest)) {
        return false;
      }
      try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
          FileLock taken = channel.tryLock()) {
        return taken != null;
      }
    } catch (IOException e) {
      return false;
    }
  }

  private static void deleteTree(Path root) {
    SharedMemory.release(root.resolve(DATA));
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      // A dying server may still write; what stays is deleted as abandoned later.
    }
  }
}
