package dev.acklast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  private static final int MANY = 40_000;
  private final Workload workload = new Workload(3);

  @Test
  void sameSeedDrawsTheSameMessagesAndAnotherSeedOthers() {
    assertThat(new Workload(3).intent(77)).isEqualTo(workload.intent(77));
    assertThat(new Workload(4).intent(77)).isNotEqualTo(workload.intent(77));
  }

  @Test
  void hasSomeOfEachFateAndFewKillers() {
    Map<Fate, Integer> counts = new EnumMap<>(Fate.class);
    for (int index = 0; index < MANY; index++) {
      counts.merge(workload.intent(index).fate(), 1, Integer::sum);
    }
    assertThat(counts).containsOnlyKeys(Fate.values());
    assertThat(counts.get(Fate.TRANSFER)).isGreaterThan(MANY * 9 / 10);
    assertThat(counts.get(Fate.KILLER)).isBetween(1, 5);
  }

  @Test
  void resendsOneInTwenty() {
    long resent =
        java.util.stream.IntStream.range(0, MANY)
            .filter(index -> workload.resentAfter(index).isPresent())
            .count();
    assertThat(resent).isBetween(MANY * 4L / 100, MANY * 6L / 100);
  }

  @Test
  void findsAnIntentByItsKeyAndNoOther() {
    Intent intent = workload.intent(123);
    assertThat(workload.find(intent.key())).contains(intent);
    assertThat(workload.find("nothing-123")).isEmpty();
    assertThat(workload.find("nothing")).isEmpty();
  }

  @Test
  void neverTransfersFromAnAccountToItself() {
    for (int index = 0; index < MANY; index++) {
      Intent intent = workload.intent(index);
      assertThat(intent.debit()).isNotEqualTo(intent.credit());
    }
  }

  @Test
  void publishesEachCopyUnderAnIdOfItsOwnAndResendsLater() {
    Pending pending = new Pending(workload);
    List<Message> first = pending.next(0, 2_000);
    List<Message> rest = pending.rest();
    Set<String> ids = new HashSet<>();
    first.forEach(message -> ids.add(message.id()));
    rest.forEach(message -> ids.add(message.id()));
    assertThat(ids).hasSize(first.size() + rest.size());
    assertThat(first.size()).isGreaterThan(2_000);
    assertThat(rest.size()).isBetween(60, 140);
    assertThat(pending.next(0, 2_000)).isEmpty();
  }
}
