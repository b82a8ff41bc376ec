package dev.acklast.demo;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

class MonthTest {
  private final Month month = Month.draw(20_000, 1);

  private static boolean isGood(Sale sale) {
    return sale.kind() == Sale.Kind.GOOD;
  }

  @Test
  void hasFiftySalesThatCannotBeAppliedHalfOfThemUndecodable() {
    Map<Sale.Kind, Long> kinds = month.sales().stream().collect(groupingBy(Sale::kind, counting()));
    assertThat(kinds)
        .containsOnly(
            Map.entry(Sale.Kind.GOOD, 19_950L),
            Map.entry(Sale.Kind.UNDECODABLE, 25L),
            Map.entry(Sale.Kind.FAILING, 25L));
  }

  @Test
  void cutsUndecodableBodiesSoThatNoParserTakesThem() {
    for (Sale sale : month.sales()) {
      ThrowableAssert.ThrowingCallable parsing = () -> new ObjectMapper().readTree(sale.body());
      if (sale.kind() == Sale.Kind.UNDECODABLE) {
        assertThat(ThrowableAssert.catchThrowable(parsing)).isNotNull();
      } else {
        assertThat(ThrowableAssert.catchThrowable(parsing)).isNull();
      }
    }
  }

  @Test
  void sendsFivePercentTwiceHalfOfThemAtOnce() {
    List<SaleEvent> events = month.events();
    assertThat(events).hasSize(21_000);
    assertThat(events.stream().map(SaleEvent::sale).distinct()).hasSize(20_000);
    long adjacent = 0;
    for (int i = 1; i < events.size(); i++) {
      adjacent += events.get(i).sale().equals(events.get(i - 1).sale()) ? 1 : 0;
    }
    assertThat(adjacent).isBetween(490L, 520L);
  }

  @Test
  void replaysEverySaleOnceUnderNewIdsWithTheLateOnesAmongThem() {
    assertThat(month.late()).hasSize(Month.LATE_SALES).allMatch(MonthTest::isGood);
    Set<Sale> all = new HashSet<>(month.sales());
    all.addAll(month.late());
    assertThat(month.replay()).hasSize(20_100);
    assertThat(month.replay().stream().map(SaleEvent::sale).collect(toSet())).isEqualTo(all);
    assertThat(Stream.concat(month.events().stream(), month.replay().stream()))
        .extracting(SaleEvent::messageId)
        .satisfies(ids -> assertThat(new HashSet<>(ids)).hasSize(41_100));
  }

  @Test
  void isTheSameForTheSameSeedAndAnotherForAnother() {
    assertThat(Month.draw(500, 3).events()).isEqualTo(Month.draw(500, 3).events());
    assertThat(Month.draw(500, 3).sales()).isNotEqualTo(Month.draw(500, 4).sales());
  }
}
