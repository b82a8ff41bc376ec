package dev.acklast.runner;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A mapping whose keys are all known. */
final class Section {
  private final Value value;
  private final Block block;
  private final Map<String, Value> entries;

  Section(Value value, Block block, Map<String, Value> entries) {
    this.value = value;
    this.block = block;
    this.entries = entries;
  }

  /** The value of a key, or null if it is left out. */
  @Nullable Value find(String key) {
    if (!block.names().contains(key)) {
      throw new IllegalStateException(block + " does not state the key " + key);
    }
    return entries.get(key);
  }

  Value require(String key) {
    Value found = find(key);
    if (found == null) {
      throw value.error("needs the key " + key);
    }
    return found;
  }

  /** Reads the value of a key, if it is there, and gives it to whoever checks it. */
  <V> void set(String key, Function<Value, V> reading, Consumer<V> taker) {
    Value found = find(key);
    if (found != null) {
      found.give(reading.apply(found), taker);
    }
  }

  /** Whether a key is there and says true. */
  boolean isOn(String key) {
    Value found = find(key);
    return found != null && found.flag();
  }

  ConfigException error(String what) {
    return value.error(what);
  }
}
