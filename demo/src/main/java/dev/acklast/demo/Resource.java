package dev.acklast.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Files beside the classes. */
final class Resource {
  private Resource() {}

  static String read(String name) {
    try (InputStream input = Resource.class.getResourceAsStream(name)) {
      byte[] bytes = Objects.requireNonNull(input, name).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
