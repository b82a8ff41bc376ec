package dev.acklast.examples.commissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.acklast.servers.JavaProcess;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.QueueState;
import dev.acklast.servers.Servers;
import dev.acklast.servers.VirtualHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in Java, with its own schema and events, as a process of its own. */
@Tag("broker")
class CommissionsTest {
  private final PostgresServer postgres = Servers.sharedPostgres();
  private final VirtualHost host =
      Servers.sharedRabbit().virtualHost(Servers.uniqueName("commissions"));
  private final String url = postgres.createDatabase(Servers.uniqueName("shop"));
  private final Jdbi jdbi = Jdbi.create(postgres.dataSourceOf(url));

  @BeforeEach
  void prepare() throws Exception {
    String schema = Files.readString(Path.of("schema.sql"));
    jdbi.useHandle(handle -> handle.createScript(schema).execute());
    try (Connection connection = host.connectionFactory().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("sales", true, false, false, Map.of("x-queue-type", "quorum"));
    }
  }

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void paysEachSaleOnceAndPutsTheOthersAside(@TempDir Path folder) throws Exception {
    publishEvents();
    publishEvents();
    Path log = folder.resolve("log");
    JavaProcess process = start(log);
    try {
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(
              () -> {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                assertThat(host.findQueue("sales.dlq").map(QueueState::ready)).hasValue(4L);
                assertThat(paid())
                    .containsExactly(
                        "S-1001 17 12.50", "S-1002 4 3.20", "S-1003 17 80.00", "S-1006 230 0.45");
              });
      process.terminate();
      assertThat(process.awaitExit(Duration.ofSeconds(60))).isTrue();
    } finally {
      process.kill();
    }
    assertThat(number("select sum(balance) * 100 from seller")).isEqualTo(9615);
    assertThat(host.queue("sales").ready()).isZero();
  }

  private JavaProcess start(Path log) {
    return JavaProcess.start(
        new JavaProcess.Program(
            Commissions.class.getName(),
            List.of(),
            Map.of(
                "AMQP_URI", host.amqpUri(),
                "DB_URL", url,
                "DB_USER", postgres.user(),
                "DB_PASSWORD", postgres.password()),
            List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")),
        log);
  }

  private void publishEvents() throws Exception {
    try (Connection connection = host.connectionFactory().newConnection();
        Channel channel = connection.createChannel()) {
      channel.confirmSelect();
      for (String event : Files.readAllLines(Path.of("sales.jsonl"))) {
        BasicProperties properties =
            new BasicProperties.Builder()
                .deliveryMode(2)
                .messageId(UUID.randomUUID().toString())
                .build();
        channel.basicPublish("", "sales", properties, event.getBytes(StandardCharsets.UTF_8));
      }
      channel.waitForConfirmsOrDie(30_000);
    }
  }

  private List<String> paid() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "select sale_id || ' ' || seller_id || ' ' || amount from commission order by 1")
                .mapTo(String.class)
                .list());
  }

  private long number(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(long.class).one());
  }
}
