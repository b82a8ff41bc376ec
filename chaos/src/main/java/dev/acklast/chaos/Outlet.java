package dev.acklast.chaos;

import java.util.List;
import java.util.function.Consumer;

/** A producer's connection to a broker that confirms. For one thread. */
interface Outlet extends AutoCloseable {
  /**
   * Publishes these, and waits for the broker's answers.
   *
   * @param confirmed is given each message that the broker has taken for good, on this thread or
   *     another, before this returns or throws
   * @throws Exception if some were not confirmed: refused, returned, or nobody knows
   */
  void publish(List<Message> messages, Consumer<Message> confirmed) throws Exception;

  @Override
  void close() throws Exception;
}
