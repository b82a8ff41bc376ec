package dev.acklast.chaos;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short run on each kind of RabbitMQ's queues. */
@Tag("broker")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RabbitChaosTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"RABBITMQ_CLASSIC", "RABBITMQ_QUORUM"})
  void passes(BrokerKind kind) {
    ChaosRun.passes(kind, folder);
  }
}
