package dev.acklast.store;

import static dev.acklast.store.TestDatabase.execute;
import static dev.acklast.store.TestDatabase.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InboxTest {
  private static final Duration WAIT = Duration.ofMillis(100);

  private final List<String> odd =
      List.of(
          "plain",
          "it's",
          "\"quoted\"",
          "back\\slash\\",
          "{curly,braces}",
          "a,b",
          "NULL",
          "null",
          "\u00e9\u0301 \u4e2d\u6587 \ud83d\ude80",
          "line\nbreak\ttab",
          "$1 ? :name %s ${x}",
          "--; drop table x",
          " ");

  private TestDatabase database;
  private Inbox inbox;

  @BeforeEach
  void createTables() throws SQLException {
    database = TestDatabase.withTables();
    inbox = new Inbox(database.tables, "sales");
  }

  @Test
  void claimsWhatIsNewAndLeavesOutDuplicates() throws SQLException {
    claimAndCommit("a", "b");

    try (Connection connection = database.begin()) {
      assertThat(inbox.claim(connection, List.of("c", "b", "a", "0"), WAIT))
          .containsExactly("0", "c");
      connection.commit();
    }
    assertThat(database.column("select key from acklast_claim where scope = 'sales'"))
        .containsExactlyInAnyOrder("0", "a", "b", "c");
  }

  @Test
  void claimOfAnotherScopeIsNoDuplicate() throws SQLException {
    claimAndCommit("a");

    try (Connection connection = database.begin()) {
      assertThat(new Inbox(database.tables, "mail").claim(connection, List.of("a"), WAIT))
          .containsExactly("a");
    }
  }

  @Test
  void rolledBackClaimIsFreeAgain() throws SQLException {
    try (Connection connection = database.begin()) {
      inbox.claim(connection, List.of("a"), WAIT);
      connection.rollback();
      assertThat(inbox.claim(connection, List.of("a"), WAIT)).containsExactly("a");
    }
  }

  @Test
  void emptyBatchSendsNothing() throws SQLException {
    try (Connection connection = database.begin()) {
      assertThat(inbox.claim(connection, List.of(), WAIT)).isEmpty();
      assertThat(inbox.busy(connection, List.of())).isEmpty();
      assertThat(inbox.claimed(connection, List.of())).isEmpty();
      inbox.unclaim(connection, List.of());
    }
  }

  @Test
  @Tag("D03")
  void transactionStaysUsableAfterDuplicate() throws SQLException {
    claimAndCommit("a");

    try (Connection connection = database.begin()) {
      assertThat(inbox.claim(connection, List.of("a"), WAIT)).isEmpty();
      assertThat(one(connection, "select count(*) from acklast_claim")).isEqualTo("1");
      connection.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ApplicationName=x",
        "reWriteBatchedInserts=true",
        "preferQueryMode=simple",
        "preferQueryMode=extendedForPrepared",
        "prepareThreshold=0",
        "prepareThreshold=1",
        "prepareThreshold=-1",
        "defaultRowFetchSize=2",
        "autosave=always",
        "stringtype=unspecified"
      })
  void everyModeOfTheDriverWorks(String parameter) throws SQLException {
    DataSource source = database.with(parameter);
    try (Connection connection = TestDatabase.begin(source)) {
      for (int round = 0; round < 7; round++) {
        assertThat(inbox.claim(connection, odd, WAIT)).containsExactlyInAnyOrderElementsOf(odd);
        assertThat(inbox.claimed(connection, odd)).containsExactlyInAnyOrderElementsOf(odd);
        inbox.unclaim(connection, odd.subList(0, 5));
        assertThat(inbox.claimed(connection, odd)).hasSize(odd.size() - 5);
        connection.rollback();
        assertThat(inbox.busy(connection, odd)).isEmpty();
        connection.rollback();
      }
    }
  }

  @Test
  void standardConformingStringsOffChangesNothing() throws SQLException {
    DataSource source = database.with("options=-c%20standard_conforming_strings=off");
    try (Connection connection = TestDatabase.begin(source)) {
      assertThat(inbox.claim(connection, odd, WAIT)).containsExactlyInAnyOrderElementsOf(odd);
    }
  }

  @Test
  void unclaimedKeyIsFreeForOthers() throws SQLException {
    try (Connection connection = database.begin()) {
      inbox.claim(connection, List.of("a", "b"), WAIT);
      inbox.unclaim(connection, List.of("b"));
      connection.commit();
      assertThat(inbox.claimed(connection, List.of("a", "b", "c"))).containsExactly("a");
    }
  }

  @Test
  @Tag("D11")
  void lengthOfKeysBehavesAsTheIndexAllowsAndSaysSo() throws SQLException {
    try (Connection connection = database.begin()) {
      String longest = randomHex(1024);
      assertThat(inbox.claim(connection, List.of(longest), WAIT)).containsExactly(longest);
      assertThatThrownBy(() -> inbox.claim(connection, List.of(randomHex(8000)), WAIT))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("54000"));
    }
  }

  @Test
  @Tag("D15")
  void ageOfClaimsIsTheDatabasesWhateverTheTimeZone() throws SQLException {
    DataSource source = database.with("options=-c%20TimeZone=Asia/Kolkata");
    try (Connection connection = TestDatabase.begin(source)) {
      inbox.claim(connection, List.of("a"), WAIT);
      assertThat(
              one(
                  connection,
                  "select claimed_at between transaction_timestamp() and clock_timestamp()"
                      + " from acklast_claim"))
          .isEqualTo("t");
    }
  }

  @Test
  void claimMadeBySqlCountsAsDuplicate() throws SQLException {
    database.execute("insert into acklast_claim(scope, key) values ('sales', 'moved')");

    try (Connection connection = database.begin()) {
      assertThat(inbox.claim(connection, List.of("moved", "new"), WAIT)).containsExactly("new");
    }
  }

  @Test
  void claimAfterFailedStatementReportsTheAbortedTransaction() throws SQLException {
    try (Connection connection = database.begin()) {
      assertThatThrownBy(() -> execute(connection, "select 1/0")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> inbox.claim(connection, List.of("a"), WAIT))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
    }
  }

  private void claimAndCommit(String... keys) throws SQLException {
    try (Connection connection = database.begin()) {
      assertThat(inbox.claim(connection, List.of(keys), WAIT)).isEqualTo(Set.of(keys));
      connection.commit();
    }
  }

  private static String randomHex(int length) {
    var random = new java.util.Random(length);
    return IntStream.range(0, length)
        .mapToObj(i -> Integer.toHexString(random.nextInt(16)))
        .collect(java.util.stream.Collectors.joining());
  }
}
