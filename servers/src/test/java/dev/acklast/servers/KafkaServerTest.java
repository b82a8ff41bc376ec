package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class KafkaServerTest {
  private final KafkaServer server = Servers.sharedKafka();

  @Test
  void keepsRecordsOverAKillAndARestartOnTheSamePort() throws Exception {
    String topic = topic();
    String bootstrap = server.bootstrap();
    produce(bootstrap, topic, "kept");

    server.kill();
    assertThat(server.isRunning()).isFalse();
    assertThat(Servers.sharedKafka()).isSameAs(server);
    assertThat(server.bootstrap()).isEqualTo(bootstrap);
    assertThat(consume(bootstrap, topic)).containsExactly("kept");
    server.restart();
    assertThat(consume(bootstrap, topic)).containsExactly("kept");
  }

  @Test
  void leadsClientsThroughItsProxyForAllTheirConnections() throws Exception {
    String topic = topic();
    TcpProxy proxy = server.proxy().orElseThrow();
    produce(server.proxiedBootstrap(), topic, "through");
    proxy.refuse(true);
    proxy.cut();
    try {
      assertThatThrownBy(() -> produce(server.proxiedBootstrap(), topic, "refused"))
          .hasRootCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
    } finally {
      proxy.refuse(false);
    }
    assertThat(consume(server.proxiedBootstrap(), topic)).containsExactly("through");
  }

  @Test
  void answersNobodyWhileItIsFrozen() throws Exception {
    String topic = topic();
    server.freeze();
    try {
      assertThatThrownBy(() -> produce(server.bootstrap(), topic, "frozen"))
          .hasRootCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
    } finally {
      server.thaw();
    }
    produce(server.bootstrap(), topic, "thawed");
  }

  @Test
  void takesTheCallersSettingsAndSaysWhyItDoesNotStart() {
    assertThatThrownBy(() -> Servers.kafka(Map.of("group.share.max.size", "-5")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("group.share.max.size");
  }

  @Test
  void usesTheClusterThatTheEnvironmentNamesAndLeavesItAlone() {
    KafkaServer own =
        OwnServers.kafka(Map.of(OwnServers.KAFKA_BOOTSTRAP, server.bootstrap()), Map.of());
    assertThat(own.started().bootstrap()).isEqualTo(server.bootstrap());
    assertThat(own.proxy()).isEmpty();
    assertThatThrownBy(own::kill)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("unset ACKLAST_KAFKA_BOOTSTRAP");
    own.close();
    assertThat(server.isRunning()).isTrue();
    assertThatThrownBy(
            () ->
                OwnServers.kafka(
                    Map.of(OwnServers.KAFKA_BOOTSTRAP, "user:s3cr3t@kafka:9092"), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cr3t");
  }

  private String topic() throws Exception {
    String topic = Servers.uniqueName("topic");
    try (Admin admin = server.admin()) {
      admin
          .createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
          .all()
          .get(20, TimeUnit.SECONDS);
    }
    return topic;
  }

  private static void produce(String bootstrap, String topic, String value) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "max.block.ms",
            3000,
            "delivery.timeout.ms",
            3000,
            "request.timeout.ms",
            2000,
            "linger.ms",
            0);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, value)).get(20, TimeUnit.SECONDS);
    }
  }

  private static List<String> consume(String bootstrap, String topic) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      return Awaitility.await("a record")
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                List<String> values = new java.util.ArrayList<>();
                consumer.poll(Duration.ofMillis(500)).forEach(r -> values.add(r.value()));
                return values;
              },
              values -> !values.isEmpty());
    }
  }
}
