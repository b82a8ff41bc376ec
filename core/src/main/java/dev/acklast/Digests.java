package dev.acklast;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over several parts, each with its length, so that no two lists of parts look alike. */
final class Digests {
  private static final int SHORT = 32;

  private Digests() {}

  /** 32 hexadecimal digits. */
  static String of(String... parts) {
    return whole(parts).substring(0, SHORT);
  }

  /** 64 hexadecimal digits. */
  static String whole(String... parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** 64 hexadecimal digits. */
  static String of(byte[] body) {
    return HexFormat.of().formatHex(sha256().digest(body));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
