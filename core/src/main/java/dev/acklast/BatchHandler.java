package dev.acklast;

import java.util.List;

/**
 * Applies the effects of a whole batch at once: for those who can write a set faster than its
 * members. Rules as for {@link Handler}. If it throws, its transaction is rolled back, and each
 * message runs again in a batch of one, so that the one to blame is found; a {@link
 * FailedMessageException} says who that is, and saves the search.
 *
 * @param <T> the decoded payload
 */
@FunctionalInterface
public interface BatchHandler<T> {
  /**
   * Applies all effects.
   *
   * @param messages at least one, with distinct keys, in order of arrival; all of them are claimed
   * @throws FailedMessageException for a failed attempt of one message
   * @throws Exception for a failed attempt of an unknown one
   */
  void apply(List<Message<T>> messages, EffectTransaction tx) throws Exception;
}
