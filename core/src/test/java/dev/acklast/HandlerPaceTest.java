package dev.acklast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HandlerPaceTest {
  private final HandlerPace pace = new HandlerPace();

  @Test
  void takesOneMessageUntilAHandlerWasMeasured() {
    assertThat(pace.batchLimit(100)).isEqualTo(1);
  }

  @Test
  void quickHandlersFillABatchAndSlowOnesRunAlone() {
    pace.took(Duration.ofNanos(50_000).toNanos());
    assertThat(pace.batchLimit(100)).isEqualTo(100);

    for (int i = 0; i < 100; i++) {
      pace.took(Duration.ofSeconds(1).toNanos());
    }
    assertThat(pace.batchLimit(100)).isEqualTo(1);
  }

  @Test
  void conflictsShrinkBatchesAndCommitsLetThemGrowBack() {
    pace.took(Duration.ofNanos(50_000).toNanos());

    pace.conflicted(100);
    assertThat(pace.batchLimit(100)).isEqualTo(50);
    pace.conflicted(50);
    assertThat(pace.batchLimit(100)).isEqualTo(25);

    for (int i = 0; i < 1_000; i++) {
      pace.committed();
    }
    assertThat(pace.batchLimit(100)).isEqualTo(100);
  }

  @Test
  void conflictsLeaveAtLeastOneMessage() {
    pace.took(1);
    for (int i = 0; i < 20; i++) {
      pace.conflicted(2);
    }
    assertThat(pace.batchLimit(100)).isEqualTo(1);
  }
}
