package dev.acklast.servers;

import java.util.Map;

/**
 * A queue at one moment.
 *
 * @param name the queue's name
 * @param type {@code classic}, {@code quorum} or {@code stream}
 * @param ready messages that wait for a consumer, as of now
 * @param unacked messages delivered and not settled yet; from the broker's statistics, which are up
 *     to about a second old on private servers and five on others
 * @param leaving messages whose time is over and that their dead-letter target has not taken yet,
 *     where the queue waits for that; from the statistics
 * @param consumers active consumers, as of now
 * @param arguments the {@code x-} arguments that it was declared with
 */
public record QueueState(
    String name,
    String type,
    long ready,
    long unacked,
    long leaving,
    int consumers,
    Map<String, Object> arguments) {

  /** Copies the arguments. */
  public QueueState {
    arguments = Map.copyOf(arguments);
  }

  /** All that is in the queue. */
  public long total() {
    return ready + unacked + leaving;
  }
}
