package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.VirtualHost;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own, on a real RabbitMQ and a real PostgreSQL. */
@Tag("broker")
class RunTest {
  private static final String EFFECT =
      """
      [ "insert into commission(sale_id, seller_id, amount) values (:saleId, :sellerId, :amount)",
        "update seller set balance = balance + :amount where id = :sellerId" ]""";

  @TempDir Path folder;
  private final PostgresServer postgres = Servers.sharedPostgres();
  private String url;
  private Jdbi jdbi;
  private VirtualHost host;

  @BeforeEach
  void prepare() throws Exception {
    url = postgres.createDatabase(Servers.uniqueName("shop"));
    jdbi = Jdbi.create(postgres.dataSourceOf(url));
    jdbi.useHandle(
        handle -> {
          handle.execute("create table commission(sale_id text, seller_id int, amount numeric)");
          handle.execute("create table seller(id int, balance numeric not null default 0)");
          handle.execute("insert into seller(id) select generate_series(0, 9)");
        });
    host = Servers.sharedRabbit().virtualHost(Servers.uniqueName("run"));
    try (Connection connection = host.connectionFactory().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("sales", true, false, false, null);
    }
  }

  @AfterEach
  void close() {
    host.close();
  }

  private Path config(String effect) throws Exception {
    return Files.writeString(
        folder.resolve("shop.yaml"),
        """
        database: {url: "%s", user: "%s", password: "${PASSWORD:none}", schema: acklast}
        consumers:
          commissions:
            source: {rabbitmq: {uri: "${AMQP_URI}", queue: sales}}
            key: /saleId
            max-attempts: 2
            backoff: {initial-interval: 100ms, max-interval: 100ms}
            effect: %s
        """
            .formatted(url, postgres.user(), effect.replace("\n", " ")));
  }

  private Process start(Path log, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Acklast.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("AMQP_URI", host.amqpUri());
    if (postgres.password() != null) {
      builder.environment().put("PASSWORD", postgres.password());
    }
    File file = log.toFile();
    return builder.redirectErrorStream(true).redirectOutput(file).start();
  }

  private int run(Path log, String... arguments) throws Exception {
    Process process = start(log, arguments);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private void publish(int from, int to) throws Exception {
    try (Connection connection = host.connectionFactory().newConnection();
        Channel channel = connection.createChannel()) {
      channel.confirmSelect();
      for (int i = from; i < to; i++) {
        String body = "{\"saleId\":\"s%d\",\"sellerId\":%d,\"amount\":2.50}".formatted(i, i % 10);
        var properties = new BasicProperties.Builder().deliveryMode(2).build();
        channel.basicPublish("", "sales", properties, body.getBytes(StandardCharsets.UTF_8));
      }
      channel.basicPublish("", "sales", null, "SECRET-4711".getBytes(StandardCharsets.UTF_8));
      channel.waitForConfirms(30_000);
    }
  }

  private long number(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(long.class).one());
  }

  @Test
  void appliesEachSaleOnceDrainsOnSigtermAndEndsWithZero() throws Exception {
    publish(0, 1000);
    publish(0, 1000);
    Path log = folder.resolve("log");
    Process process = start(log, "run", config(EFFECT).toString());
    try {
      await()
          .atMost(Duration.ofSeconds(90))
          .untilAsserted(
              () -> {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                assertThat(host.queue("sales").ready()).isZero();
                assertThat(host.findQueue("sales.dlq")).isPresent();
                assertThat(host.queue("sales.dlq").ready()).isEqualTo(2);
                assertThat(number("select count(*) from commission")).isEqualTo(1000);
              });
      process.destroy();
      assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(log);
    assertThat(process.exitValue()).as(text).isEqualTo(ExitCode.OK);
    assertThat(number("select count(distinct sale_id) from commission")).isEqualTo(1000);
    assertThat(number("select sum(balance) from seller")).isEqualTo(2500);
    assertThat(number("select count(*) from acklast.acklast_claim")).isEqualTo(1000);
    assertThat(text)
        .contains("commissions consumes rabbitmq:sales")
        .contains("In all 1,000 applied, 1,000 duplicates, 0 retried, 2 dead-lettered")
        .doesNotContain("SECRET")
        .doesNotContain(host.amqpUri());
  }

  @Test
  void anEffectThatCannotWorkStopsTheStartAndTouchesNoMessage() throws Exception {
    publish(0, 3);
    Path log = folder.resolve("log");
    String effect = EFFECT.replace("seller_id,", "sellerid,");
    assertThat(run(log, "run", config(effect).toString())).isEqualTo(ExitCode.REFUSED);
    assertThat(Files.readString(log))
        .contains("acklast: consumers.commissions.effect: statement 1 cannot work: SQLSTATE 42703")
        .contains("column \"sellerid\" of relation \"commission\" does not exist");
    assertThat(host.queue("sales").ready()).isEqualTo(4);
    assertThat(number("select count(*) from commission")).isZero();
  }

  @Test
  void aDatabaseThatIsNotThereIsRefusedAndAMissingQueueIsFoundByCheck() throws Exception {
    Path log = folder.resolve("log");
    Path config = config(EFFECT);
    assertThat(run(log, "check", "--connect", config.toString()))
        .as(Files.readString(log))
        .isEqualTo(ExitCode.OK);
    Path missing =
        Files.writeString(config, Files.readString(config).replace("queue: sales", "queue: x"));
    assertThat(run(log, "check", "--connect", missing.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(Files.readString(log))
        .contains("acklast: consumers.commissions: the queue x cannot be used:")
        .contains("no queue 'x'");
    Path nowhere = Files.writeString(config, Files.readString(config).replace("/shop_", "/none_"));
    assertThat(run(log, "run", nowhere.toString())).isEqualTo(ExitCode.REFUSED);
    assertThat(Files.readString(log))
        .contains("acklast: database: SQLSTATE 3D000")
        .doesNotContain("\tat ");
  }
}
