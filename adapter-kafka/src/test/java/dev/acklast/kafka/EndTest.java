package dev.acklast.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Subscription;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of a subscription when it has ended. */
class EndTest {
  private final Rig rig = Rig.withTopic(1);

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void leavesNoThreadAndNoBeanBehind(String protocol) throws MalformedObjectNameException {
    rig.send(0, "a");
    Heard heard = Heard.acking();
    Map<String, Object> named = Map.of("group.protocol", protocol, "client.id", rig.group);
    Subscription subscription = rig.start(rig.source(named), 5, heard);
    heard.awaitCount(1);
    assertThat(beans()).isNotEmpty();
    Rig.stop(subscription);
    Rig.await("no bean").until(() -> beans().isEmpty());
    Rig.await("no thread").until(this::hasNoThread);
  }

  private Set<ObjectName> beans() throws MalformedObjectNameException {
    ObjectName ours = new ObjectName("kafka.*:*");
    Set<ObjectName> beans = ManagementFactory.getPlatformMBeanServer().queryNames(ours, null);
    beans.removeIf(bean -> !bean.toString().contains(rig.group));
    return beans;
  }

  private boolean hasNoThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(t -> t.getName().contains(rig.group) || t.getName().contains("acklast-kafka"));
  }

  @Test
  void endsInTimeWhileTheBrokerIsFrozen() {
    rig.send(0, "a");
    Heard heard = Heard.acking();
    Subscription subscription = rig.start(rig.source(), 5, heard);
    heard.awaitCount(1);
    rig.server.freeze();
    try {
      long begun = System.nanoTime();
      subscription.stopIntake();
      subscription.close(Duration.ofSeconds(2));
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
      Rig.await("no thread").until(this::hasNoThread);
    } finally {
      rig.server.thaw();
    }
  }
}
