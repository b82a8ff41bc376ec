package dev.acklast.sqs;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which messages this process has asked to have again, to tell them from suspects: one whose
 * receive count has gone up by one since then has been with nobody else. Forgets the oldest.
 * Thread-safe.
 */
final class Retries {
  private static final int MOST = 10_000;

  private final Map<String, Integer> counts = new LinkedHashMap<>();

  synchronized void add(Received received) {
    if (received.receiveCount() > 0) {
      counts.put(received.messageId(), received.receiveCount());
      if (counts.size() > MOST) {
        counts.remove(counts.keySet().iterator().next());
      }
    }
  }

  /** Whether this comes straight from our own retry. */
  synchronized boolean explain(Received received) {
    Integer before = counts.remove(received.messageId());
    return before != null && received.receiveCount() == before + 1;
  }
}
