package dev.acklast.testkit.handler;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be wrong with a consumer, in the words that its author reads. */
final class Findings {
  private static final String BOUND_TO_TX =
      "write through tx.handle() or tx.connection(), or through a repository that is bound to that"
          + " transaction, and nowhere else.";

  private Findings() {}

  static Fault otherDatabase() {
    return new Fault(
        "the consumer took no connection from the data source that the tester gave it",
        "build the consumer, with all that its handler uses, on the data source that the function"
            + " is given: faults of others cannot be shown.");
  }

  static Fault invisible() {
    return new Fault(
        "all messages were applied, and effect(…) looks the same as before them",
        "let effect(…) look at what the handler writes, and reset(…) take it away.");
  }

  static Fault differentEachTime(Sample sample, String difference) {
    return new Fault(
        "two undisturbed runs of %s, each after reset(…), had different effects: the second's %s"
            .formatted(sample, difference),
        "let the handler take everything from the message (time and random ids too) or leave out of"
            + " effect(…) what may differ; and let reset(…) take all of the effect away.");
  }

  static Fault changingKey(Sample sample, Set<String> keys, @Nullable String resentId) {
    boolean id = resentId != null && keys.contains(resentId);
    return new Fault(
        "%s came twice, and had another key each time: %s".formatted(sample, keys),
        id
            ? "the key is the message id, and a producer that sends again seldom keeps it: take the"
                + " key from what the message means. If yours does keep it, say"
                + " resendsKeepTheirId()."
            : "the key must come from the message and from nothing else, and be the same whenever"
                + " the same thing is meant.");
  }

  static Fault writesOutsideHandler(String when, String difference) {
    return new Fault(
        when + "; and yet " + difference,
        "something beside the handler writes: the decoder, the key, the filter, the event time or a"
            + " listener, which run for each delivery and outside of the transaction. Write in"
            + " apply(…) alone, and there "
            + BOUND_TO_TX);
  }

  static Fault remains(Step step, Sample sample, String difference, boolean ownConnections) {
    String when = "the process died with %s %s".formatted(sample, step.words);
    if (step.durable) {
      return new Fault(
          when + "; what it left is not what was committed: " + difference,
          "the effect must be in the database with the commit: " + BOUND_TO_TX);
    }
    if (step == Step.RECEIVED || step == Step.CLAIMED) {
      return writesOutsideHandler(when, difference);
    }
    return new Fault(
        "%s, its transaction was rolled back, and yet %s%s"
            .formatted(
                when,
                difference,
                ownConnections ? " (the handler had taken a connection of its own)" : ""),
        "that write was outside of the transaction, and will be there twice when the message comes"
            + " again: "
            + BOUND_TO_TX);
  }

  static Fault goesOnAfterFailure(Sample sample, String statement, String difference) {
    return new Fault(
        "the database refused %s of %s once (SQLState 55P03), the handler ended normally in the"
                .formatted(statement, sample)
            + " end, and yet "
            + difference,
        "let exceptions of the database leave the handler, after a savepoint too: Acklast rolls"
            + " back and runs it again. Whoever catches one, and goes on, commits half an effect.");
  }

  static Fault wrongInTheEnd(String what, String difference, boolean lacks) {
    return new Fault(
        what + "; in the end " + difference,
        lacks
            ? "the handler did not do again what was rolled back: it must not remember messages in"
                + " memory (a cache, a field, a static set), nor do less on a later attempt."
            : "the handler did it a second time outside of the transaction, or did something else"
                + " than the first time: "
                + BOUND_TO_TX);
  }

  static Fault disturbEachOther(String difference) {
    return new Fault(
        "all messages came at once; in the end " + difference,
        "the handler reads, reckons and writes while another does the same: let the database"
            + " reckon (set balance = balance + ?), or lock what is read (select … for update). If"
            + " messages must come in order, say inOrder() here, and orderedBy(…) to the consumer.");
  }
}
