package dev.acklast;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The stable text to send along with calls that leave the system. */
final class IdempotencyKey {
  private IdempotencyKey() {}

  /**
   * 64 hexadecimal digits: SHA-256 over the parts, each after its length, so that none runs over.
   */
  static String of(String scope, String key, int version) {
    MessageDigest digest = sha256();
    add(digest, scope);
    add(digest, key);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, version));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
