package dev.acklast.kafka;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a user has chosen. Immutable.
 *
 * @param topics at least one, each once
 * @param kind what kind of group reads them
 * @param group the group's name; null until it is named
 * @param createsTopics whether a missing dead-letter topic may be created
 * @param acceptsGaps whether to go on after records that were deleted unread
 * @param deliversTombstones whether records without a value reach the handler
 */
record Options(
    List<String> topics,
    Kind kind,
    @Nullable String group,
    boolean createsTopics,
    boolean acceptsGaps,
    boolean deliversTombstones,
    Limits limits) {
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** How members share the topics. */
  enum Kind {
    /** Each partition has one member at a time. */
    CONSUMER_GROUP,
    /** Members compete for records. */
    SHARE_GROUP
  }

  /**
   * How much is held.
   *
   * @param span most records of a partition handed over past the committed offset
   * @param bytes most bytes held in memory
   * @param renewal how often idle offsets are committed anew
   */
  record Limits(int span, long bytes, Duration renewal) {
    Limits {
      require(span >= 1 && span <= 1_000_000, "span must be 1 to 1000000, not " + span);
      require(bytes >= 1, "heldBytes must be at least 1, not " + bytes);
      require(renewal.toMillis() >= 1_000, "renewOffsets must be at least 1 s, not " + renewal);
    }

    Limits withSpan(int records) {
      return new Limits(records, bytes, renewal);
    }

    Limits withBytes(long most) {
      return new Limits(span, most, renewal);
    }

    Limits withRenewal(Duration interval) {
      return new Limits(span, bytes, interval);
    }
  }

  Options {
    topics = List.copyOf(topics);
    require(!topics.isEmpty(), "Name at least one topic to consume from");
    topics.forEach(Options::checkTopic);
    require(
        new HashSet<>(topics).size() == topics.size(),
        "Each topic can be named once only: " + topics);
    require(group == null || !group.isBlank(), "The name of a group must not be blank");
  }

  static Options of(List<String> topics, @Nullable String group) {
    Limits limits = new Limits(5_000, 64L << 20, Duration.ofHours(1));
    return new Options(topics, Kind.CONSUMER_GROUP, group, true, false, false, limits);
  }

  Options withGroup(Kind kindOfGroup, String name) {
    return new Options(
        topics, kindOfGroup, name, createsTopics, acceptsGaps, deliversTombstones, limits);
  }

  Options withoutTopology() {
    return new Options(topics, kind, group, false, acceptsGaps, deliversTombstones, limits);
  }

  Options withGaps() {
    return new Options(topics, kind, group, createsTopics, true, deliversTombstones, limits);
  }

  Options withTombstones() {
    return new Options(topics, kind, group, createsTopics, acceptsGaps, true, limits);
  }

  Options withLimits(Limits changed) {
    return new Options(
        topics, kind, group, createsTopics, acceptsGaps, deliversTombstones, changed);
  }

  /** The group's name, which must be known when a consumer is built. */
  String requireGroup() {
    if (group == null) {
      throw new IllegalArgumentException(
          "Name the group: group(\"commissions\"), or group.id in the client's configuration");
    }
    return group;
  }

  static void checkTopic(String name) {
    require(
        TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals(".."),
        "A topic's name has 1 to 249 of the characters a-z A-Z 0-9 . _ - : not '" + name + "'");
  }

  private static void require(boolean met, String otherwise) {
    if (!met) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
