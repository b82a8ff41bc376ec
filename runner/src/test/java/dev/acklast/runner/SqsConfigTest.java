package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The source kind {@code sqs} in the configuration file. */
class SqsConfigTest {
  private static final String RABBITMQ =
      "{rabbitmq: {uri: \"${AMQP_URI:amqp://localhost}\", queue: sales}}";

  @TempDir private Path folder;

  @Test
  void everyKeyIsRead() {
    String source =
        "{sqs: {queues: [sales.fifo, returns.fifo], region: eu-central-1,"
            + " endpoint: \"http://localhost:9324\", topology: none, visibility-timeout: 1m,"
            + " long-poll: 20s, polls: 4, unwrap-sns: true}}";
    ConsumerConfig consumer = ConfigFile.load(folder, file(source)).consumers().get(0);
    assertThat(consumer.source().name()).isEqualTo("sqs:sales.fifo,returns.fifo");
    assertThat(consumer.source().system()).isEqualTo("aws_sqs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "region: x, queue: a.b|source.sqs.queue A queue is named by 1 to 80 letters",
        "region: x|source.sqs needs exactly one of the keys queue and queues",
        "region: x, queue: sales, visibility-timeout: 2500ms|visibility-timeout visibilityTimeout must be whole",
        "region: x, queue: sales, long-poll: 30s|long-poll longPoll must be whole seconds",
        "region: x, queue: sales, polls: 0|polls must be 1 to 100",
        "region: x, queue: sales, topology: some|topology must be auto or none",
        "region: x, queue: sales, que: x|did you mean queue",
      })
  void whatIsWrongIsNamedWithItsKey(String keys, String told) {
    String text = file("{sqs: {" + keys + ", endpoint: \"http://localhost:9324\"}}");
    assertThat(ConfigFile.refusal(folder, text)).contains(told);
  }

  @Test
  void endpointWithCredentialsIsRefusedWithoutRepeatingThem() {
    String text = file("{sqs: {queue: sales, region: x, endpoint: \"http://me:s3cr3t@host\"}}");
    assertThat(ConfigFile.refusal(folder, text))
        .contains("endpoint must look like http://localhost:9324")
        .doesNotContain("s3cr3t");
  }

  @Test
  void exchangeIsNoTargetForDeadLettersOfSqs() {
    String text =
        file("{sqs: {region: us-east-1, queue: sales}}")
            + "    dead-letter: {exchange: x, routing-key: y}\n";
    assertThat(ConfigFile.refusal(folder, text))
        .contains("dead-letter must be the name of a queue");
  }

  private static String file(String source) {
    return ConfigFile.VALID.replace(RABBITMQ, source);
  }
}
