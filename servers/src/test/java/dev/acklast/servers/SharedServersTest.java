package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SharedServersTest {

  @Test
  void givesOneDatabaseServerToAllAndStartsItAgainIfItWasKilled() throws Exception {
    PostgresServer server = Servers.sharedPostgres();
    server.kill();
    assertThat(Servers.sharedPostgres()).isSameAs(server);
    assertThat(server.dataSource().getConnection().isValid(5)).isTrue();
  }

  @Test
  @Tag("broker")
  void givesOneBrokerToAllAndStartsItAgainIfItWasKilled() throws Exception {
    RabbitServer server = Servers.sharedRabbit();
    server.kill();
    assertThat(Servers.sharedRabbit()).isSameAs(server);
    try (VirtualHost one = server.virtualHost(Servers.uniqueName("one"));
        VirtualHost other = server.virtualHost(Servers.uniqueName("other"));
        var connection = one.connectionFactory().newConnection()) {
      connection.createChannel().queueDeclare("sales", true, false, false, null);
      assertThat(one.findQueue("sales")).isPresent();
      assertThat(other.findQueue("sales")).isEmpty();
    }
  }

  @Test
  void makesNamesThatAreIdentifiersAndDiffer() {
    String name = Servers.uniqueName("sales");
    assertThat(name).matches("sales_[a-z0-9]{8,12}").isNotEqualTo(Servers.uniqueName("sales"));
  }

  @Test
  void describesWhatItUsesInOneLine() {
    assertThat(Servers.describe())
        .matches("PostgreSQL: .+; RabbitMQ: .+; SQS: .+; Kafka: .+")
        .hasLineCount(1);
  }
}
