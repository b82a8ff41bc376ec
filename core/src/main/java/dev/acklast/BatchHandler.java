package dev.acklast;

import java.util.List;

/**
 * Applies the effects of a whole batch at once: for those who can write a set faster than its
 * members. Rules as for {@link Handler}. If it throws, its transaction is rolled back, and each
 * message runs again in a batch of one, so that the one to blame is found.
 *
 * @param <T> the decoded payload
 */
@FunctionalInterface
public interface BatchHandler<T> {
  /**
   * Applies all effects.
   *
   * @param messages at least one, with distinct keys, in order of arrival; all of them are claimed
   * @throws Exception for a failed attempt
   */
  void apply(List<Message<T>> messages, EffectTransaction tx) throws Exception;
}
