package dev.acklast.chaos;

/**
 * One copy of an intent, as published.
 *
 * @param key the intent's, also in a header
 * @param id the message id, another for each copy
 */
record Message(String key, String id, byte[] body) {
  /** The n-th copy of an intent, from 1. */
  static Message copy(Intent intent, int number) {
    return new Message(intent.key(), intent.key() + "/" + number, intent.body());
  }
}
