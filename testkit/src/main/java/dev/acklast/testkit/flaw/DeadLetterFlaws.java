package dev.acklast.testkit.flaw;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Flaws of dead letters. */
final class DeadLetterFlaws {
  private DeadLetterFlaws() {}

  static final class NotConfirmed extends Behaviour {
    @Override
    CompletionStage<SettleResult> deadLetter(Delivery delivery, DeathReport report) {
      var unused = delivery.acker().deadLetter(report);
      return done();
    }
  }

  static final class AcksAtOnce extends Behaviour {
    @Override
    CompletionStage<SettleResult> deadLetter(Delivery delivery, DeathReport report) {
      return delivery
          .acker()
          .deadLetter(report)
          .thenCompose(answer -> delivery.acker().ack().thenApply(acked -> answer));
    }
  }

  static final class Twice extends Behaviour {
    @Override
    CompletionStage<SettleResult> deadLetter(Delivery delivery, DeathReport report) {
      return delivery
          .acker()
          .deadLetter(report)
          .thenCompose(first -> delivery.acker().deadLetter(report));
    }
  }

  static final class NewId extends Behaviour {
    @Override
    CompletionStage<SettleResult> deadLetter(Delivery delivery, DeathReport report) {
      return delivery
          .acker()
          .deadLetter(
              new DeathReport(
                  UUID.randomUUID().toString(),
                  report.reason(),
                  report.attempts(),
                  report.exception(),
                  report.message(),
                  report.source(),
                  report.position(),
                  report.consumer(),
                  report.key(),
                  report.time()));
    }
  }

  static final class TakenOff extends Behaviour {
    @Override
    Envelope envelope(Envelope received) {
      Map<String, @Nullable Object> headers = new LinkedHashMap<>(received.headers());
      boolean redriven = headers.remove(DeathReport.HEADER) != null;
      RedeliveryHint hint = redriven ? RedeliveryHint.SUSPECT : received.hint();
      return RetryFlaws.changed(received, headers, hint);
    }
  }

  static final class EmptyReport extends Behaviour {
    @Override
    CompletionStage<SettleResult> deadLetter(Delivery delivery, DeathReport report) {
      return delivery
          .acker()
          .deadLetter(
              new DeathReport(report.id(), "?", 0, null, null, "?", "?", "?", null, Instant.EPOCH));
    }
  }
}
