package dev.acklast.chaos;

import dev.acklast.AcklastListener;
import dev.acklast.DeathReason;
import dev.acklast.MessageInfo;
import java.time.Duration;

/** Writes down what a consumer does. Thread-safe. */
final class JournalListener implements AcklastListener {
  private final Journal journal;

  JournalListener(Journal journal) {
    this.journal = journal;
  }

  @Override
  public void received(MessageInfo message) {
    note(
        Journal.RECEIVED,
        message,
        message.envelope().hint() + " at " + message.envelope().position());
  }

  @Override
  public void duplicate(MessageInfo message) {
    note("duplicate", message, "");
  }

  @Override
  public void committed(MessageInfo message) {
    note("committed", message, "");
  }

  @Override
  public void attemptFailed(MessageInfo message, int attempts, Throwable failure) {
    note("failed", message, attempts + " times, " + failure.getClass().getName());
  }

  @Override
  public void rerun(MessageInfo message) {
    note("rerun", message, "");
  }

  @Override
  public void retried(MessageInfo message, Duration delay) {
    note(Journal.RETRIED, message, "after " + delay.toMillis() + " ms");
  }

  @Override
  public void deadLettered(MessageInfo message, DeathReason reason) {
    note(Journal.BURIED, message, reason.name());
  }

  @Override
  public void released(MessageInfo message) {
    note("released", message, "");
  }

  @Override
  public void settled(MessageInfo message) {
    note("settled", message, "");
  }

  @Override
  public void settleFailed(MessageInfo message, String reason) {
    note("not-settled", message, reason);
  }

  @Override
  public void outageOpened(String consumer, String reason) {
    journal.write("outage", "-", "-", reason.replace('\n', ' '));
  }

  @Override
  public void outageClosed(String consumer, Duration lasted) {
    journal.write("outage-over", "-", "-", lasted.toMillis() + " ms");
  }

  private void note(String event, MessageInfo message, String details) {
    String key = message.key();
    journal.write(
        event,
        key == null ? String.valueOf(message.envelope().header(Letter.KEY_HEADER)) : key,
        String.valueOf(message.envelope().header(Letter.ID_HEADER)),
        details.replace('\n', ' '));
  }
}
