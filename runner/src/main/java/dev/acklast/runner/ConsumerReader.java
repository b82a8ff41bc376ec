package dev.acklast.runner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one consumer. Every limit is checked by the builder's own rules. */
final class ConsumerReader {
  private static final int DEFAULT_LANES = 4;
  private static final Duration DEFAULT_DRAIN = Duration.ofSeconds(25);

  private final Section section;
  private final ConsumerBuilder<JsonNode> builder;

  private ConsumerReader(Section section, ConsumerBuilder<JsonNode> builder) {
    this.section = section;
    this.builder = builder;
  }

  static ConsumerConfig read(String name, Value value) {
    ConsumerBuilder<JsonNode> builder = value.parse(name, IdempotentConsumer::named);
    return new ConsumerReader(value.section(Block.CONSUMER), builder).read(name);
  }

  private ConsumerConfig read(String name) {
    SourceKind.Configured source = source();
    builder.source(source.source());
    builder.key(Keys.read(section.require("key")));
    decoder();
    limits();
    times();
    List<SqlStatement> statements = effect();
    builder.applyAll(new SqlEffect(statements));
    Value concurrency = section.find("concurrency");
    int lanes = concurrency == null ? DEFAULT_LANES : concurrency.integer();
    Duration drain = duration(section.find("drain"), DEFAULT_DRAIN);
    return new ConsumerConfig(
        name, source.source(), source.probe(), lanes, drain, statements, builder);
  }

  private SourceKind.Configured source() {
    Section kinds = section.require("source").section(Block.SOURCE);
    List<String> stated =
        Block.SOURCE.names().stream().filter(kind -> kinds.find(kind) != null).toList();
    if (stated.size() != 1) {
      throw kinds.error("needs exactly one kind of source: " + String.join(", ", SourceKind.NAMES));
    }
    Value deadLetter = section.find("dead-letter");
    Value named = deadLetter == null || deadLetter.isMapping() ? null : deadLetter;
    if (named != null) {
      named.give(named.text(), builder::deadLetterTo);
    }
    String kind = stated.get(0);
    Value exchange = named == null ? deadLetter : null;
    return SourceKind.named(kind).read(kinds.require(kind), exchange);
  }

  private void decoder() {
    Json<JsonNode> json = Json.tree();
    Value bytes = section.find("max-bytes");
    if (bytes != null) {
      json = bytes.parse(bytes.integer(), json::maxBytes);
    }
    Value depth = section.find("max-depth");
    if (depth != null) {
      json = depth.parse(depth.integer(), json::maxDepth);
    }
    builder.decode(json);
  }

  private void limits() {
    section.set("scope", Value::text, builder::scope);
    section.set("max-attempts", Value::integer, builder::maxAttempts);
    section.set("concurrency", Value::integer, builder::concurrency);
    section.set("prefetch", Value::integer, builder::prefetch);
    section.set("batch-size", Value::integer, builder::batchSize);
    section.set("ordered-by", Keys::read, builder::orderedBy);
    Value backoff = section.find("backoff");
    if (backoff != null) {
      builder.backoff(backoff(backoff));
    }
  }

  private void times() {
    section.set("handler-timeout", Value::duration, builder::handlerTimeout);
    section.set("drain", Value::duration, builder::drainTimeout);
    section.set("retention", Value::duration, builder::retention);
    section.set("event-time", EventTime::read, builder::eventTime);
    if (section.isOn("allow-expired")) {
      builder.allowExpired();
    }
  }

  private static Backoff backoff(Value value) {
    Section backoff = value.section(Block.BACKOFF);
    Backoff standard = Backoff.standard();
    Value initial = backoff.find("initial-interval");
    Value multiplier = backoff.find("multiplier");
    Value longest = backoff.find("max-interval");
    Value jitter = backoff.find("jitter");
    Duration first = duration(initial, standard.initial());
    double factor = multiplier == null ? standard.multiplier() : multiplier.decimal();
    Duration last = duration(longest, standard.max());
    double spread = jitter == null ? standard.jitter() : jitter.decimal();
    return value.parse(first, start -> new Backoff(start, factor, last, spread));
  }

  private static Duration duration(@Nullable Value value, Duration fallback) {
    return value == null ? fallback : value.duration();
  }

  private List<SqlStatement> effect() {
    List<SqlStatement> statements = new ArrayList<>();
    for (Value sql : section.require("effect").list()) {
      statements.addAll(sql.parse(sql.text(), SqlParser::parse));
    }
    return List.copyOf(statements);
  }
}
