package dev.acklast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How PostgreSQL, which refuses to run as root, is run by root all the same.
 *
 * @param wrapper what its commands are prefixed with
 * @param ownsFolder whether its folder must be given to {@code nobody}
 */
record UnprivilegedUser(List<String> wrapper, boolean ownsFolder) {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final List<String> NAMESPACE = List.of("unshare", "-U");
  private static final List<String> NOBODY =
      List.of("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups");

  /** In a user namespace of its own root is nobody, and its files stay as they are. */
  static UnprivilegedUser inNamespace() {
    return new UnprivilegedUser(NAMESPACE, false);
  }

  /** Containers often forbid new namespaces; there it becomes the user {@code nobody}. */
  static UnprivilegedUser nobody() {
    return new UnprivilegedUser(NOBODY, true);
  }

  /** What works on this machine. */
  static UnprivilegedUser detect() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return new UnprivilegedUser(List.of(), false);
    }
    if (works(NAMESPACE)) {
      return inNamespace();
    }
    if (works(NOBODY)) {
      return nobody();
    }
    throw new IllegalStateException(
        "PostgreSQL does not run as root, and neither 'unshare -U' nor 'setpriv --reuid=nobody'"
            + " works here: run as another user, or name your own server in ACKLAST_DATABASE_URL");
  }

  /** Makes the folder and what is in it usable by the commands with this wrapper. */
  void own(Path folder) {
    if (!ownsFolder) {
      return;
    }
    try {
      UserPrincipal nobody =
          folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
      try (var paths = Files.walk(folder)) {
        for (Path path : paths.toList()) {
          Files.setOwner(path, nobody);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The server's folder cannot be given to nobody", e);
    }
  }

  private static boolean works(List<String> wrapper) {
    List<String> command = new ArrayList<>(wrapper);
    command.add("true");
    return ShellCommand.run(LIMIT, command).succeeded();
  }
}
