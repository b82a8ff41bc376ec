package dev.acklast.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DemoTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "commissions");

  @TempDir Path folder;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String output() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private List<String> lines() {
    return output().lines().toList();
  }

  private String lastLine() {
    return lines().get(lines().size() - 1);
  }

  /** How many commissions of the usual consumer are doubled. */
  private int doubledByTheUsual() {
    Matcher row = Pattern.compile("doubled +[0-9,]+ +([0-9,]+)").matcher(output());
    assertThat(row.find()).as(output()).isTrue();
    return Integer.parseInt(row.group(1).replace(",", ""));
  }

  private int run(Path example, String... arguments) {
    return Demo.run(new Console(out, 0), example.toAbsolutePath(), folder, arguments);
  }

  private static void assumeServersOfOurOwn() {
    assumeThat(System.getenv("ACKLAST_DATABASE_URL"))
        .as("servers of somebody else, which are not to be restarted")
        .isNull();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void acklastPassesWhereTheUsualConsumerPaysTwice() {
    passes();
  }

  @Tag("long")
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void acklastPassesOnKafka() {
    passes("--broker", "kafka");
  }

  @Tag("broker")
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void acklastPassesOnRabbitMq() {
    passes("--broker", "RabbitMQ");
  }

  private void passes(String... broker) {
    assumeServersOfOurOwn();
    List<String> arguments = new ArrayList<>(List.of("--messages", "400", "--seed", "5"));
    arguments.addAll(List.of(broker));

    int code = run(EXAMPLE, arguments.toArray(new String[0]));

    assertThat(lastLine())
        .as(output())
        .isEqualTo("PASS: 500 sales: 498 commissions, 2 dead-lettered, 0 doubled, 0 lost");
    assertThat(code).isZero();
    assertThat(doubledByTheUsual()).isGreaterThanOrEqualTo(398);
    assertThat(folder).as("logs of a run that passed").isEmptyDirectory();
  }

  @Tag("long")
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void failsWhereTheMessageIdIsTakenForTheKey() throws Exception {
    assumeServersOfOurOwn();
    Path wrong = Files.createDirectory(folder.resolve("example"));
    Files.copy(EXAMPLE.resolve("schema.sql"), wrong.resolve("schema.sql"));
    String yaml = Files.readString(EXAMPLE.resolve("commissions-sqs.yaml"));
    assertThat(yaml).contains("key: /saleId");
    Files.writeString(
        wrong.resolve("commissions-sqs.yaml"), yaml.replace("key: /saleId", "key: message-id"));

    int code = run(wrong, "--messages", "100");

    assertThat(lastLine())
        .as(output())
        .matches("FAIL: 200 sales: 198 commissions, 2 dead-lettered, [1-9][0-9]* doubled, 0 lost");
    assertThat(output()).contains("commissions are doubled", "sellers have a wrong balance");
    assertThat(code).isEqualTo(1);
  }

  @Test
  void refusesTooFewSalesAndSaysTheLimits() {
    PrintStream before = System.err;
    System.setErr(out);
    try {
      assertThat(run(EXAMPLE, "--messages", "99")).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(output()).contains("--messages must be 100 to 200,000");
  }

  @Test
  void namesTheBrokersThatItKnows() {
    PrintStream before = System.err;
    System.setErr(out);
    try {
      assertThat(run(EXAMPLE, "--broker", "pulsar")).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(output()).contains("pulsar", "sqs, kafka, rabbitmq");
  }

  @ParameterizedTest
  @EnumSource
  void exampleHasAConfigurationForEachBroker(BrokerKind broker) {
    assertThat(EXAMPLE.resolve(broker.configuration)).exists();
  }
}
