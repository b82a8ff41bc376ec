package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.SqsServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The command as a process of its own, on a real queue and a real PostgreSQL. */
class SqsRunTest {
  @TempDir private Path folder;
  private final PostgresServer postgres = Servers.sharedPostgres();
  private final SqsServer server = Servers.sharedSqs();

  @Test
  void appliesEachSaleOnceAndDrainsOnSigterm() throws Exception {
    String database = postgres.createDatabase(Servers.uniqueName("shop"));
    Jdbi jdbi = Jdbi.create(postgres.dataSourceOf(database));
    jdbi.useHandle(handle -> handle.execute("create table commission(sale_id text)"));
    String queue = Servers.uniqueName("sales");
    try (SqsClient client = server.client()) {
      String url = client.createQueue(create -> create.queueName(queue)).queueUrl();
      for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 10; i++) {
          String body = "{\"saleId\":\"s" + i + "\"}";
          client.sendMessage(send -> send.queueUrl(url).messageBody(body));
        }
      }
    }
    Path log = folder.resolve("log");
    Process process = start(log, config(database, queue));
    try {
      await()
          .atMost(Duration.ofSeconds(90))
          .untilAsserted(
              () -> {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                assertThat(
                        jdbi.<Integer, RuntimeException>withHandle(
                            handle ->
                                handle
                                    .createQuery("select count(*) from commission")
                                    .mapTo(Integer.class)
                                    .one()))
                    .isEqualTo(10);
              });
      process.destroy();
      assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(ExitCode.OK);
    assertThat(Files.readString(log))
        .contains("commissions consumes sqs:" + queue)
        .contains("In all 10 applied");
  }

  private Path config(String database, String queue) throws Exception {
    return Files.writeString(
        folder.resolve("shop.yaml"),
        """
        database: {url: "%s", user: "%s", password: "${PASSWORD}"}
        consumers:
          commissions:
            source: {sqs: {queue: %s, region: us-east-1, endpoint: "%s", long-poll: 1s}}
            key: /saleId
            effect: "insert into commission(sale_id) values (:saleId)"
        """
            .formatted(database, postgres.user(), queue, server.endpoint()));
  }

  private Process start(Path log, Path config) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Acklast.class.getName(),
                "run",
                config.toString()));
    builder.environment().put("PASSWORD", postgres.password());
    builder.environment().putIfAbsent("AWS_ACCESS_KEY_ID", "test");
    builder.environment().putIfAbsent("AWS_SECRET_ACCESS_KEY", "test");
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }
}
