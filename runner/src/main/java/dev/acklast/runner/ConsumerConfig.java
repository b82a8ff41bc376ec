package dev.acklast.runner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.ConsumerBuilder;
import dev.acklast.spi.Source;
import java.time.Duration;
import java.util.List;

/**
 * One consumer of the file, with all its settings checked.
 *
 * @param name the consumer's name
 * @param source where its messages come from
 * @param probe looks whether that can be reached
 * @param lanes its concurrency
 * @param drain how long started work may take when it is stopped
 * @param statements its effect
 * @param builder lacks only what the running process has: the database and the listeners
 */
record ConsumerConfig(
    String name,
    Source source,
    SourceKind.Probe probe,
    int lanes,
    Duration drain,
    List<SqlStatement> statements,
    ConsumerBuilder<JsonNode> builder) {}
