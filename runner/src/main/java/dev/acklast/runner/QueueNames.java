package dev.acklast.runner;

import java.util.List;

/** What sources that consist of queues have in common. */
final class QueueNames {
  private QueueNames() {}

  /** The queue, or the queues, that a source states. */
  static List<String> of(Section section) {
    Value one = section.find("queue");
    Value several = section.find("queues");
    if ((one == null) == (several == null)) {
      throw section.error("needs exactly one of the keys queue and queues");
    }
    Value names = one == null ? section.require("queues") : one;
    List<String> queues = names.list().stream().map(Value::text).toList();
    if (queues.stream().anyMatch(String::isBlank)
        || queues.stream().distinct().count() < queues.size()) {
      throw names.error("must name each queue once, and none may be blank");
    }
    return queues;
  }

  /** Whether nothing is to be created on the broker. */
  static boolean withoutTopology(Section section) {
    Value topology = section.find("topology");
    if (topology == null) {
      return false;
    }
    return switch (topology.text()) {
      case "auto" -> false;
      case "none" -> true;
      default -> throw topology.error("must be auto or none");
    };
  }
}
