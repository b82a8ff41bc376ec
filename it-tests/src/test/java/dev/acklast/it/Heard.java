package dev.acklast.it;

import dev.acklast.AcklastListener;
import dev.acklast.DeathReason;
import dev.acklast.MessageInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what a consumer tells: {@code committed order-1}, one line each. Thread-safe. */
final class Heard implements AcklastListener {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private void add(String event, MessageInfo message) {
    lines.add(event + " " + message.key());
  }

  /** How often exactly this was told. */
  int count(String line) {
    return (int) lines.stream().filter(line::equals).count();
  }

  /** How often this event was told, of whichever message. */
  int all(String event) {
    return (int) lines.stream().filter(line -> line.startsWith(event + " ")).count();
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void received(MessageInfo message) {
    add("received", message);
  }

  @Override
  public void duplicate(MessageInfo message) {
    add("duplicate", message);
  }

  @Override
  public void committed(MessageInfo message) {
    add("committed", message);
  }

  @Override
  public void attemptFailed(MessageInfo message, int attempts, Throwable failure) {
    lines.add("failed " + message.key() + " " + attempts);
  }

  @Override
  public void rerun(MessageInfo message) {
    add("rerun", message);
  }

  @Override
  public void retried(MessageInfo message, Duration delay) {
    add("retried", message);
  }

  @Override
  public void deadLettered(MessageInfo message, DeathReason reason) {
    lines.add("dead " + message.key() + " " + reason);
  }

  @Override
  public void skipped(MessageInfo message) {
    add("skipped", message);
  }

  @Override
  public void released(MessageInfo message) {
    add("released", message);
  }

  @Override
  public void settled(MessageInfo message) {
    add("settled", message);
  }

  @Override
  public void settleFailed(MessageInfo message, String reason) {
    add("late", message);
  }

  @Override
  public void outageOpened(String consumer, String reason) {
    lines.add("outage opened");
  }

  @Override
  public void outageClosed(String consumer, Duration lasted) {
    lines.add("outage closed");
  }
}
