package dev.acklast;

/** The stable text to send along with calls that leave the system. */
final class IdempotencyKey {
  private IdempotencyKey() {}

  /** 64 hexadecimal digits. */
  static String of(String scope, String key, int version) {
    return Digests.whole(scope, key, Integer.toString(version));
  }
}
