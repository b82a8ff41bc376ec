package dev.acklast.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The libraries of a server that is a Java program: it runs in a JVM of its own, as they must not
 * mix with ours. The build of {@code acklast-servers-…} writes where they are.
 */
final class JavaLibraries {
  private final String classPath;

  private JavaLibraries(String classPath) {
    this.classPath = classPath;
  }

  /**
   * Finds a server's libraries.
   *
   * @param server as in {@code acklast-servers-elasticmq}
   * @throws IllegalStateException if that is not on the class path
   */
  static JavaLibraries of(String server) {
    String resource = server + ".classpath";
    try (InputStream in = JavaLibraries.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            "The class path has no acklast-servers-" + server + ", which names its libraries");
      }
      return new JavaLibraries(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A command that runs one of its programs. */
  List<String> command(List<String> options, String mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath));
    command.addAll(options);
    command.add(mainClass);
    command.addAll(List.of(arguments));
    return command;
  }
}
