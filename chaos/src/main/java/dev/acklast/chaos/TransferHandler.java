package dev.acklast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Handler;
import dev.acklast.MessageTransaction;

/** The handler of all workers: does to each message what is planned for it. Thread-safe. */
final class TransferHandler implements Handler<JsonNode> {
  private static final int KILLED = 137;

  /** What fails as planned. */
  static final class PlannedException extends Exception {
    private static final long serialVersionUID = 1L;

    PlannedException() {
      super("as planned");
    }
  }

  /** What is not worth a retry. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException() {
      super("refused as planned");
    }
  }

  private final String worker;
  private final Journal journal;

  TransferHandler(String worker, Journal journal) {
    this.worker = worker;
    this.journal = journal;
  }

  @Override
  public void apply(JsonNode message, MessageTransaction tx) throws Exception {
    Fate fate = Fate.valueOf(message.path("fate").asText());
    if (fate != Fate.TRANSFER) {
      note(Journal.RUN, tx);
    }
    switch (fate) {
      case TRANSFER -> transfer(message, tx);
      case FLAKY -> {
        if (tx.attempt() <= message.path("failures").asInt()) {
          throw new PlannedException();
        }
        transfer(message, tx);
      }
      case REFUSED -> throw new RefusedException();
      case KILLER -> {
        note(Journal.HALT, tx);
        Runtime.getRuntime().halt(KILLED);
      }
      default -> {
        // It gets as far as its effect, which must not stay.
        transfer(message, tx);
        throw new PlannedException();
      }
    }
  }

  private void transfer(JsonNode message, MessageTransaction tx) {
    Intent intent =
        new Intent(
            tx.key(),
            Fate.TRANSFER,
            0,
            message.path("debit").asInt(),
            message.path("credit").asInt(),
            message.path("amount").asInt());
    tx.handle().execute(Effects.TRANSFER, Effects.arguments(intent, tx.attempt(), worker));
  }

  private void note(String event, MessageTransaction tx) {
    journal.write(
        event,
        tx.key(),
        String.valueOf(tx.envelope().header(Letter.ID_HEADER)),
        "attempt " + tx.attempt());
  }
}
