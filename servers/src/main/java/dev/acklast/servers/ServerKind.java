package dev.acklast.servers;

import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Where a server runs. */
enum ServerKind {
  /** A child process of this JVM. */
  NATIVE,
  /** A container. */
  DOCKER,
  /** The user's, named by an environment variable. */
  OWN;

  static final String PROPERTY = "acklast.servers";

  /**
   * Chooses: the system property if it is set, else the user's own server if it is named, else
   * Docker if it can be reached, else native.
   *
   * @param property the system property's value
   * @param variable the environment variable that names the user's own server
   * @throws IllegalArgumentException if the property is no kind, or asks for an own server that is
   *     not named
   */
  static ServerKind choose(
      @Nullable String property,
      Map<String, String> environment,
      String variable,
      BooleanSupplier dockerReachable) {
    boolean named = !environment.getOrDefault(variable, "").isBlank();
    if (property != null && !property.isBlank() && !property.equals("auto")) {
      return required(parse(property), named, variable);
    }
    if (named) {
      return OWN;
    }
    return dockerReachable.getAsBoolean() ? DOCKER : NATIVE;
  }

  private static ServerKind parse(String property) {
    for (ServerKind kind : values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(property)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "-D" + PROPERTY + " must be native, docker, own or auto, not " + property);
  }

  private static ServerKind required(ServerKind kind, boolean named, String variable) {
    if (kind == OWN && !named) {
      throw new IllegalArgumentException(
          "-D" + PROPERTY + "=own needs the server's address in " + variable);
    }
    return kind;
  }
}
