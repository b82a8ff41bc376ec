package dev.acklast.runner;

import dev.acklast.spi.Source;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A broker that the file may name as a source. */
interface SourceKind {
  /** All kinds by their names in the file; each has a block of its own. */
  Map<String, SourceKind> KINDS =
      Map.of("rabbitmq", new RabbitKind(), "kafka", new KafkaKind(), "sqs", new SqsKind());

  List<String> NAMES = List.copyOf(Block.SOURCE.names());

  static SourceKind named(String name) {
    SourceKind kind = KINDS.get(name);
    if (kind == null) {
      throw new IllegalStateException("no source kind is registered as " + name);
    }
    return kind;
  }

  /**
   * Reads the source, without connecting.
   *
   * @param value the kind's own mapping
   * @param deadLetter a dead-letter target that is more than a name, or null
   */
  Configured read(Value value, @Nullable Value deadLetter);

  /** A source, and how to look whether it can be reached. */
  record Configured(Source source, Probe probe) {}

  /** Connects once, and closes again. */
  @FunctionalInterface
  interface Probe {
    /**
     * Looks for broker and queues.
     *
     * @return what is wrong, without credentials; empty if nothing is
     */
    List<String> findings();
  }
}
