package dev.acklast.chaos;

import dev.acklast.servers.TcpProxy;
import java.util.List;
import java.util.Map;

/** A broker under test, private to this run. Thread-safe. */
interface Broker extends BrokerView, AutoCloseable {
  /** One phrase about what runs. */
  String describe();

  /**
   * How a worker finds it, as environment variables.
   *
   * @param worker its number; each has a link of its own where the broker allows it
   */
  Map<String, String> addresses(int worker);

  /** The links between workers and broker, which faults may break. */
  List<TcpProxy> workerLinks();

  /** The link between the producer and the broker. */
  TcpProxy producerLink();

  /** Connects the producer, through its link. */
  Outlet outlet() throws Exception;

  /** Ends it at once, as kill -9 does. */
  void kill();

  /** Starts it again, or does nothing if it runs. */
  void start();

  /** Suspends it: connections stay open, nothing answers. */
  void freeze();

  /** Lets a frozen one go on. */
  void thaw();

  @Override
  void close();
}
