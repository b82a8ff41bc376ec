package dev.acklast;

import dev.acklast.spi.Health;
import java.time.Duration;

final class ConsumerRuntime<T> {
  ConsumerRuntime(ConsumerSettings<T> settings) {}

  void start() {
    throw new UnsupportedOperationException();
  }

  void pause() {}

  void resume() {}

  boolean drain(Duration timeout) {
    return true;
  }

  Duration drainTimeout() {
    return Duration.ZERO;
  }

  Health health() {
    return Health.up();
  }
}
