package dev.acklast.chaos;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short run of a consumer group and of a share group. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KafkaChaosTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"KAFKA", "KAFKA_SHARE"})
  void passes(BrokerKind kind) {
    ChaosRun.passes(kind, folder);
  }
}
