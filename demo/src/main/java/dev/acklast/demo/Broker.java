package dev.acklast.demo;

import java.util.List;
import java.util.Map;

/**
 * The broker of the demonstration, as shop, consumers and audit meet it: it runs when it is made,
 * and both consumers get all events, each from a place of its own. Thread-safe.
 */
interface Broker extends AutoCloseable {
  /** Makes what a shop would have: queues or topics, and the usual consumer's for dead letters. */
  void declare() throws Exception;

  /** Opens the shop's connection, to be closed by the caller. */
  Outlet open() throws Exception;

  /** Messages that wait, are in work or are to be tried again, at both consumers. */
  long unfinished();

  /** Messages that are left at Acklast's consumer. */
  long left();

  /** All dead letters of one consumer; they stay where they are. */
  List<DeadLetter> deadLetters(Side side) throws Exception;

  /** Whether it is private, so that it may be restarted. */
  boolean canRestart();

  /** Stops it and starts it again. */
  void restart();

  /** Where it is, for consumers: the variables that configuration and programs read. */
  Map<String, String> environment();

  /** Lines that say how to look at it. */
  List<String> hints();

  /** What it is and where, without credentials. */
  @Override
  String toString();

  @Override
  void close();

  /** The two consumers. */
  enum Side {
    ACKLAST,
    USUAL
  }

  /** The shop's connection. For one thread. */
  interface Outlet extends AutoCloseable {
    /** Most events to be published at once. */
    int most();

    /** Publishes events to both consumers, and returns when the broker has confirmed all. */
    void publish(List<SaleEvent> events) throws Exception;

    @Override
    void close() throws Exception;
  }
}
