package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.acklast.spi.Capabilities;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kafka's topics in the configuration file. */
class KafkaKindTest {
  private static final String SOURCE =
      "source: {kafka: {bootstrap-servers: \"localhost:1\", topics: [sales, refunds],"
          + " group: commissions, tombstones: deliver, accept-gaps: true, span: 100, topology: none,"
          + " properties: {security.protocol: SASL_SSL, sasl.jaas.config: \"${DB_PASSWORD}\"}}}";

  @TempDir Path folder;

  private static String file(String source) {
    return ConfigFile.VALID.replaceFirst(
        "source: .*", java.util.regex.Matcher.quoteReplacement(source));
  }

  @Test
  void everyKeyIsRead() {
    RunnerConfig config = ConfigFile.load(folder, file(SOURCE));
    ConsumerConfig commissions = config.consumers().get(0);
    assertThat(commissions.source().name()).isEqualTo("kafka:sales,refunds");
    assertThat(commissions.source().capabilities())
        .isEqualTo(new Capabilities(false, Capabilities.Order.ON_REQUEST));
    try (var pool = Pool.of(config.database())) {
      assertThatCode(() -> ConsumerGroup.build(config.consumers(), pool, new Tally()))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void aShareGroupCompetes() {
    String shared = SOURCE.replace("group: commissions", "share-group: commissions");
    ConsumerConfig commissions = ConfigFile.load(folder, file(shared)).consumers().get(0);
    assertThat(commissions.source().capabilities().order()).isEqualTo(Capabilities.Order.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "group: commissions, | '' | needs exactly one of the keys group and share-group",
        "[sales, refunds] | [sales, sales] | Each topic can be named once only",
        "span: 100 | span: 0 | span must be 1 to 1000000, not 0",
        "topology: none | topology: some | topology must be auto or none",
        "tombstones: deliver | tombstones: eat | tombstones must be skip or deliver",
        "bootstrap-servers: | bootstrap-server: | did you mean bootstrap-servers?",
      })
  void aMistakeIsNamedWithItsPlace(String right, String wrong, String complaint) {
    assertThat(ConfigFile.refusal(folder, file(SOURCE.replace(right, wrong))))
        .contains(complaint)
        .contains("source.kafka")
        .doesNotContain("SECRET");
  }

  @Test
  void anExchangeIsNoPlaceForARecord() {
    String text = file(SOURCE) + "    dead-letter: {exchange: dlx, routing-key: dead}\n";
    assertThat(ConfigFile.refusal(folder, text)).contains("dead-letter must be a topic's name");
  }

  @Test
  void aBrokerThatDoesNotAnswerIsFoundByTheProbe() {
    String plain =
        "source: {kafka: {bootstrap-servers: \"not-a-host.invalid:1\", topics: [sales], group: g}}";
    List<String> findings =
        ConfigFile.load(folder, file(plain)).consumers().get(0).probe().findings();
    assertThat(findings).singleElement().asString().contains("cannot be reached");
  }
}
