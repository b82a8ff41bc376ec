package dev.acklast.testkit.handler;

import dev.acklast.ConsumerBuilder;
import dev.acklast.spi.Source;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/**
 * What the user gave. Immutable.
 *
 * @param author makes the consumer
 * @param resends whether a producer's resend has the id of the first message
 * @param inOrder whether messages depend on each other
 */
record Setup(
    BiFunction<Source, DataSource, ConsumerBuilder<?>> author,
    DataSource database,
    List<Sample> samples,
    List<String> reset,
    Effect effect,
    Resends resends,
    boolean inOrder,
    Duration patience) {
  enum Resends {
    NEW_ID,
    SAME_ID
  }

  Setup {
    samples = List.copyOf(samples);
    reset = List.copyOf(reset);
  }
}
