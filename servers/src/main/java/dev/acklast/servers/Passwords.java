package dev.acklast.servers;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Passwords for private servers: other users of this machine can reach its loopback ports. */
final class Passwords {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Passwords() {}

  /** 16 characters, none of which needs escaping in a URI or a configuration file. */
  static String random() {
    byte[] bytes = new byte[8];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
