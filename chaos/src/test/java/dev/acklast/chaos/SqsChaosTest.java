package dev.acklast.chaos;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short run on each kind of SQS queues. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SqsChaosTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"SQS", "SQS_FIFO"})
  void passes(BrokerKind kind) {
    ChaosRun.passes(kind, folder);
  }
}
