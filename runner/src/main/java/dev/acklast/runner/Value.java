package dev.acklast.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** One value of the file: what it says, and where it stands. Errors never repeat the value. */
record Value(YamlFile file, String path, Node node) {
  /** A scalar as written, with variables replaced. */
  String text() {
    if (!(node instanceof ScalarNode scalar) || Tag.NULL.equals(node.getTag())) {
      throw error("must be a single value, not " + kind());
    }
    return parse(scalar.getValue(), file.variables()::replaceIn);
  }

  int integer() {
    return parse(text(), Value::toInt);
  }

  double decimal() {
    return parse(text(), Value::toDouble);
  }

  Duration duration() {
    return parse(text(), Durations::parse);
  }

  boolean flag() {
    String text = text();
    if (!text.equals("true") && !text.equals("false")) {
      throw error("must be true or false");
    }
    return text.equals("true");
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  /** The members of a list, or the value alone if it is none. */
  List<Value> list() {
    if (!(node instanceof SequenceNode sequence)) {
      return List.of(this);
    }
    List<Value> members = new ArrayList<>();
    for (Node member : sequence.getValue()) {
      members.add(new Value(file, path + "[" + members.size() + "]", member));
    }
    if (members.isEmpty()) {
      throw error("must not be an empty list");
    }
    return members;
  }

  /** The entries of a mapping in the file's order; a name that stands there twice is an error. */
  Map<String, Value> entries() {
    if (!(node instanceof MappingNode mapping)) {
      throw error("must be a mapping (key: value), not " + kind());
    }
    Map<String, Value> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        throw new Value(file, path, tuple.getKeyNode()).error("has a key that is no plain text");
      }
      String place = path.isEmpty() ? name.getValue() : path + "." + name.getValue();
      if (entries.put(name.getValue(), new Value(file, place, tuple.getValueNode())) != null) {
        throw new Value(file, place, name).error("stands here twice");
      }
    }
    return entries;
  }

  /** The mapping with the keys that the block allows. */
  Section section(Block block) {
    Map<String, Value> entries = entries();
    for (NodeTuple tuple : ((MappingNode) node).getValue()) {
      String name = ((ScalarNode) tuple.getKeyNode()).getValue();
      if (!block.names().contains(name)) {
        String prefix = path.isEmpty() ? "" : path + ".";
        throw new Value(file, prefix + name, tuple.getKeyNode())
            .error("is no known key; did you mean " + Nearest.to(name, block.names()) + "?");
      }
    }
    return new Section(this, block, entries);
  }

  /** Gives a part of the value to whoever checks it, and says where it stands if it is refused. */
  <V> void give(V value, Consumer<V> taker) {
    try {
      taker.accept(value);
    } catch (IllegalArgumentException e) {
      throw error(e);
    }
  }

  /** Reads a part of the value, and says where it stands if it cannot be read. */
  <V, R> R parse(V value, Function<V, R> reading) {
    try {
      return reading.apply(value);
    } catch (IllegalArgumentException e) {
      throw error(e);
    }
  }

  ConfigException error(String what) {
    String name = path.isEmpty() ? "the file" : path;
    return new ConfigException(file.at(node.getStartMark()) + name + " " + what);
  }

  private ConfigException error(IllegalArgumentException refusal) {
    String what = String.valueOf(refusal.getMessage());
    String key = path.substring(path.lastIndexOf('.') + 1);
    // Rules of the builder begin with the setting's name, which stands in the path already.
    return what.startsWith(key + " ") ? error(what.substring(key.length() + 1)) : error(what);
  }

  private String kind() {
    if (node instanceof MappingNode) {
      return "a mapping";
    }
    return node instanceof SequenceNode ? "a list" : "nothing";
  }

  private static int toInt(String text) {
    try {
      return Integer.parseInt(text.replace("_", ""));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number");
    }
  }

  private static double toDouble(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a number");
    }
  }
}
