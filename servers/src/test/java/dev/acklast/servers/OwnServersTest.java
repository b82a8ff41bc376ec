package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnServersTest {
  private static final String SECRET = "s3cr3t";

  @Test
  void usesTheDatabaseServerThatTheEnvironmentNames() throws Exception {
    PostgresServer theirs = Servers.sharedPostgres();
    Map<String, String> environment =
        Map.of(
            OwnServers.DATABASE_URL, theirs.jdbcUrl() + "?ApplicationName=own",
            OwnServers.DATABASE_USER, theirs.user(),
            OwnServers.DATABASE_PASSWORD, theirs.password());
    PostgresServer own = OwnServers.postgres(environment, Map.of()).started(Map.of());
    String name = Servers.uniqueName("own");
    String url = own.createDatabase(name);
    own.close();

    assertThat(url).contains("/" + name + "?ApplicationName=own");
    assertThat(own.port()).isEqualTo(theirs.port());
    try (Connection connection = theirs.dataSourceOf(url).getConnection()) {
      assertThat(connection.getCatalog()).isEqualTo(name);
    }
  }

  @Test
  void takesTheRoleFromTheUrlBeforeTheEnvironment() {
    PostgresServer own =
        OwnServers.postgres(
            Map.of(
                OwnServers.DATABASE_URL,
                "jdbc:postgresql://db/shop?user=u%40x&ssl=true&password=" + SECRET,
                OwnServers.DATABASE_USER,
                "other"),
            Map.of());
    assertThat(own.user()).isEqualTo("u@x");
    assertThat(own.password()).isEqualTo(SECRET);
    assertThat(own.jdbcUrl()).isEqualTo("jdbc:postgresql://db/shop?ssl=true");

    PostgresServer plain =
        OwnServers.postgres(database("jdbc:postgresql://db/shop?user=u"), Map.of());
    assertThat(plain.jdbcUrl()).isEqualTo("jdbc:postgresql://db/shop");
    assertThat(plain.user()).isEqualTo("u");
  }

  @Test
  void neitherEndsNorConfiguresTheUsersServers() {
    PostgresServer own = OwnServers.postgres(database("jdbc:postgresql://db/shop"), Map.of());
    assertThat(own.canRestart()).isFalse();
    assertThatThrownBy(own::kill)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("unset ACKLAST_DATABASE_URL");
    RabbitServer broker = OwnServers.rabbit(broker("amqp://u:p@mq/"), RabbitOptions.defaults());
    assertThat(broker.canRestart()).isFalse();
    assertThatThrownBy(() -> broker.memoryAlarm(true))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(
            () ->
                OwnServers.rabbit(
                    broker("amqp://u:p@mq/"),
                    RabbitOptions.defaults().withConsumerTimeout(Duration.ofSeconds(5))))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("unset ACKLAST_RABBITMQ_URI");
  }

  @Test
  void refusesADatabaseServerThatLosesCommits() {
    try (PostgresServer careless = Servers.postgres(Map.of("synchronous_commit", "off"))) {
      assertThatThrownBy(() -> careless.started(Map.of()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("synchronous_commit=off; it must be on");
    }
  }

  @Test
  void readsTheBrokersUri() {
    RabbitServer broker =
        OwnServers.rabbit(
            broker("amqp://shop%40x:" + SECRET + "@mq.example:5673/a%2Fb"),
            RabbitOptions.defaults());
    assertThat(broker.host()).isEqualTo("mq.example");
    assertThat(broker.port()).isEqualTo(5673);
    assertThat(broker.user()).isEqualTo("shop@x");
    assertThat(broker.mainVirtualHost().name()).isEqualTo("a/b");
    assertThat(broker.amqpUri()).isEqualTo("amqp://shop%40x:" + SECRET + "@mq.example:5673/a%2Fb");
    assertThat(broker.managementUri()).isEqualTo("http://mq.example:15672");
    assertThat(broker.toString()).doesNotContain(SECRET);
    assertThat(broker.mainVirtualHost().toString()).doesNotContain(SECRET);
  }

  @Test
  void keepsTheManagementAddressFreeOfCredentials() {
    RabbitServer broker =
        OwnServers.rabbit(
            Map.of(
                OwnServers.RABBITMQ_URI,
                "amqp://u:p@mq/",
                OwnServers.RABBITMQ_MANAGEMENT,
                "https://admin:" + SECRET + "@mq/rabbit/"),
            RabbitOptions.defaults());
    assertThat(broker.managementUri()).isEqualTo("https://mq/rabbit");
  }

  @Test
  void refusesUnusableAddressesWithoutRepeatingTheirPasswords() {
    for (String uri : new String[] {"amqp://u:" + SECRET + "@mq:none/", "mq:" + SECRET, ""}) {
      assertThatThrownBy(() -> OwnServers.rabbit(broker(uri), RabbitOptions.defaults()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("amqp://USER:PASSWORD@HOST:PORT/VHOST")
          .hasMessageNotContaining(SECRET)
          .hasNoCause();
    }
    for (String url :
        new String[] {
          "jdbc:mysql://u:" + SECRET + "@db/shop",
          "jdbc:postgresql:x",
          "jdbc:postgresql://db:99999/x?password=" + SECRET
        }) {
      assertThatThrownBy(() -> OwnServers.postgres(database(url), Map.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("jdbc:postgresql://HOST:PORT/DATABASE")
          .hasMessageNotContaining(SECRET);
    }
  }

  private static Map<String, String> database(String url) {
    return Map.of(OwnServers.DATABASE_URL, url);
  }

  private static Map<String, String> broker(String uri) {
    return Map.of(OwnServers.RABBITMQ_URI, uri);
  }
}
