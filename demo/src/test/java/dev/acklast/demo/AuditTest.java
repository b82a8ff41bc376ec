package dev.acklast.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the audit says about books that are right, and about each kind of wrong ones. */
class AuditTest {
  private final PostgresServer postgres = Servers.sharedPostgres();
  private final Month month = Month.draw(800, 7);
  private Jdbi jdbi;
  private Shop shop;

  @BeforeEach
  void keepRightBooks() throws Exception {
    String url = postgres.createDatabase(Servers.uniqueName("audit"));
    jdbi = Jdbi.create(postgres.dataSourceOf(url));
    shop = new Shop(postgres.dataSourceOf(url));
    shop.open(Path.of("..", "examples", "commissions", "schema.sql"));
    shop.expect(month.sales());
    jdbi.useHandle(
        handle -> {
          handle.execute(
              "insert into commission(sale_id, seller_id, amount)"
                  + " select sale_id, seller_id, amount from demo.sale where kind = 'GOOD'");
          handle.execute(
              "update seller set balance ="
                  + " (select coalesce(sum(amount), 0) from commission where seller_id = seller.id)");
        });
    shop.noteDeadLetters(lettersOfBadSales());
  }

  private List<DeadLetter> lettersOfBadSales() {
    List<DeadLetter> letters = new ArrayList<>();
    month.sales().stream()
        .filter(sale -> sale.kind() != Sale.Kind.GOOD)
        .forEach(sale -> letters.add(letter(sale)));
    return letters;
  }

  private static DeadLetter letter(Sale sale) {
    return new DeadLetter(sale.id(), UUID.randomUUID().toString(), sale.body());
  }

  private Sale good() {
    return month.sales().stream().filter(s -> s.kind() == Sale.Kind.GOOD).findFirst().orElseThrow();
  }

  private Sale bad() {
    return month.sales().stream().filter(s -> s.kind() != Sale.Kind.GOOD).findFirst().orElseThrow();
  }

  private void execute(String sql, Object... arguments) {
    jdbi.useHandle(handle -> assertThat(handle.execute(sql, arguments)).isPositive());
  }

  private String verdict(Books books) {
    return Report.verdict(books, books.faults());
  }

  @Test
  void passesBooksInWhichEachSaleHasOneEnd() {
    Books books = shop.audit();
    assertThat(books.faults()).isEmpty();
    assertThat(verdict(books))
        .isEqualTo("PASS: 800 sales: 798 commissions, 2 dead-lettered, 0 doubled, 0 lost");
  }

  @Test
  void countsASaleOnceHoweverManyLettersItHas() {
    shop.noteDeadLetters(lettersOfBadSales());
    assertThat(shop.audit().faults()).isEmpty();
    assertThat(shop.audit().deadLettered()).isEqualTo(2);
  }

  @Test
  void findsADoubledCommission() {
    execute(
        "insert into commission(sale_id, seller_id, amount)"
            + " select sale_id, seller_id, amount from commission where sale_id = ?",
        good().id());
    execute(
        "update seller set balance = balance + ? where id = ?", good().amount(), good().sellerId());
    Books books = shop.audit();
    assertThat(verdict(books))
        .isEqualTo("FAIL: 800 sales: 798 commissions, 2 dead-lettered, 1 doubled, 0 lost");
    assertThat(books.wrongBalances()).isEqualTo(1);
    assertThat(books.overpaid()).isEqualByComparingTo(good().amount());
  }

  @Test
  void findsALostSale() {
    execute("delete from commission where sale_id = ?", good().id());
    Books books = shop.audit();
    assertThat(verdict(books))
        .isEqualTo("FAIL: 800 sales: 797 commissions, 2 dead-lettered, 0 doubled, 1 lost");
  }

  @Test
  void findsALostDeadLetter() {
    execute("delete from demo.dead_letter where sale_id = ?", bad().id());
    assertThat(shop.audit().lost()).isEqualTo(1);
    assertThat(shop.audit().faults()).hasSize(1);
  }

  @Test
  void findsACommissionThatIsNotDue() {
    execute("insert into commission(sale_id, seller_id, amount) values ('S-x', 1, 5)");
    assertThat(shop.audit().unexpectedCommissions()).isEqualTo(1);
    assertThat(verdict(shop.audit())).startsWith("FAIL: ");
  }

  @Test
  void findsACommissionOfAnotherAmount() {
    execute("update commission set amount = amount + 1 where sale_id = ?", good().id());
    assertThat(shop.audit().unexpectedCommissions()).isEqualTo(1);
  }

  @Test
  void findsABalanceThatDoesNotMatchItsCommissions() {
    execute("update seller set balance = balance + 1 where id = 3");
    assertThat(shop.audit().wrongBalances()).isEqualTo(1);
    assertThat(shop.audit().faults()).containsExactly("1 sellers have a wrong balance");
  }

  @Test
  void findsADeadLetterOfASaleThatCouldBeApplied() {
    shop.noteDeadLetters(List.of(letter(good())));
    assertThat(shop.audit().unexpectedDeadLetters()).isEqualTo(1);
  }

  @Test
  void findsADeadLetterWithAnotherBodyOrWithoutName() {
    shop.noteDeadLetters(
        List.of(
            new DeadLetter(bad().id(), "m", new byte[] {1}),
            new DeadLetter(null, null, bad().body())));
    assertThat(shop.audit().unexpectedDeadLetters()).isEqualTo(2);
  }

  @Test
  void namesEachFaultOfTheReport() {
    execute("delete from commission where sale_id = ?", good().id());
    String table =
        Report.table(shop.audit(), shop.audit()).stream().collect(Collectors.joining("\n"));
    assertThat(table).containsPattern("lost +1 +1").containsPattern("seller balances wrong +0 +0");
  }
}
