package dev.acklast.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LadderTest {
  private final Ladder ladder = new Ladder(Duration.ofMinutes(5));

  @ParameterizedTest
  @CsvSource({
    "1,125",
    "125,125",
    "126,250",
    "200,250",
    "501,1000",
    "1000,1000",
    "1001,2000",
    "2000,2000",
    "240000,256000",
    "256000,256000",
    "256001,300000",
    "300000,300000"
  })
  void delaysAreRoundedUpToTheNextRung(long delay, long rung) {
    assertThat(ladder.rung(Duration.ofMillis(delay))).isEqualTo(rung);
  }

  @Test
  void fractionsOfAMillisecondAreRoundedUp() {
    assertThat(ladder.rung(Duration.ofSeconds(1).plusNanos(1))).isEqualTo(2000);
  }

  @Test
  void longestDelayIsARungOfItsOwn() {
    assertThat(ladder.top()).isEqualTo(300_000);
    assertThat(new Ladder(Duration.ofMillis(1)).top()).isEqualTo(125);
    assertThat(new Ladder(Duration.ofMillis(700)).rung(Duration.ofMillis(600))).isEqualTo(700);
    assertThat(new Ladder(Duration.ofMillis(2500)).top()).isEqualTo(3000);
  }

  @Test
  void namesTellTheDelay() {
    assertThat(Ladder.queueName("sales", 250)).isEqualTo("sales.acklast.retry.250ms");
    assertThat(Ladder.queueName("sales", 2000)).isEqualTo("sales.acklast.retry.2s");
    assertThat(Ladder.isRung("sales", "sales.acklast.retry.2s")).isTrue();
    assertThat(Ladder.isRung("sales", "sales.dlq")).isFalse();
  }
}
