package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PurgeTest {
  private static final Duration RETENTION = Duration.ofMinutes(5);

  private TestDatabase database;
  private Purge purge;

  @BeforeEach
  void createTables() throws SQLException {
    database = TestDatabase.withTables();
    purge = new Purge(database.tables, "sales");
  }

  @Test
  @Tag("D10")
  @Tag("D15")
  void deletesWhatIsOlderThanTheRetentionByTheDatabasesClockAndNothingElse() throws SQLException {
    claims("sales", "old", 10, "5 minutes 1 second");
    claims("sales", "young", 10, "4 minutes 50 seconds");
    claims("mail", "old", 10, "1 year");
    attempt("sales", "old", "5 minutes 1 second");
    attempt("sales", "young", "4 minutes 50 seconds");
    attempt("mail", "old", "1 year");

    assertThat(run(100)).isEqualTo(11);
    assertThat(run(100)).isZero();
    assertThat(database.column("select distinct scope || ' ' || left(key, 3) from acklast_claim"))
        .containsExactlyInAnyOrder("sales you", "mail old");
    assertThat(database.column("select scope || ' ' || key from acklast_attempt"))
        .containsExactlyInAnyOrder("sales young", "mail old");
  }

  @Test
  void deletesNoMoreThanTheLimitAtOnce() throws SQLException {
    claims("sales", "old", 250, "1 hour");
    assertThat(run(100)).isEqualTo(100);
    assertThat(run(100)).isEqualTo(100);
    assertThat(run(100)).isEqualTo(50);
    assertThatThrownBy(() -> run(1001)).hasMessageContaining("1 to 1000");
    assertThatThrownBy(() -> run(0)).hasMessageContaining("1 to 1000");
  }

  @Test
  void onePurgerAtATimeAndTheNextOneAfterIt() throws SQLException {
    claims("sales", "old", 20, "1 hour");
    try (Connection first = database.begin()) {
      assertThat(purge.run(first, RETENTION, 10)).isEqualTo(10);
      assertThat(run(10)).isZero();
      assertThat(runOther("mail")).isZero();
      first.commit();
    }
    assertThat(run(10)).isEqualTo(10);
  }

  @Test
  void purgerOfAnotherScopeIsNotHeldUp() throws SQLException {
    claims("mail", "old", 5, "1 hour");
    try (Connection first = database.begin()) {
      purge.run(first, RETENTION, 10);
      assertThat(runOther("mail")).isEqualTo(5);
    }
  }

  @Test
  void passesOverRowsThatSomebodyHasLocked() throws SQLException {
    claims("sales", "old", 3, "1 hour");
    try (Connection holder = database.begin()) {
      TestDatabase.execute(holder, "select 1 from acklast_claim where key = 'old-2' for update");
      assertThat(run(10)).isEqualTo(2);
    }
    assertThat(run(10)).isEqualTo(1);
  }

  @Test
  void duplicateThatWaitedForNothingIsAppliedOnceItsClaimIsPurged() throws SQLException {
    claims("sales", "old", 1, "1 hour");
    Inbox inbox = new Inbox(database.tables, "sales");
    try (Connection purger = database.begin();
        Connection consumer = database.begin()) {
      purge.run(purger, RETENTION, 10);
      assertThatThrownBy(() -> inbox.claim(consumer, List.of("old-1"), Duration.ofMillis(20)))
          .satisfies(
              e -> assertThat(DatabaseFailure.of(e)).isEqualTo(DatabaseFailure.LOCK_TIMEOUT));
      consumer.rollback();
      purger.commit();
      assertThat(inbox.claim(consumer, List.of("old-1"), Duration.ofMillis(20)))
          .containsExactly("old-1");
    }
  }

  @Test
  void youngClaimInAnotherPartitionIsLeftAlone() throws SQLException {
    database.execute("drop table acklast_claim");
    database.execute(
        "create table acklast_claim (scope text, key text, version int, claimed_at timestamptz,"
            + " primary key (scope, key)) partition by hash (key)");
    for (int i = 0; i < 4; i++) {
      database.execute(
          "create table part"
              + i
              + " partition of acklast_claim for values with (modulus 4, remainder "
              + i
              + ")");
    }
    claims("sales", "old", 50, "1 hour");
    claims("sales", "young", 50, "1 minute");
    assertThat(run(30)).isEqualTo(30);
    assertThat(run(30)).isEqualTo(20);
    assertThat(database.column("select count(*) from acklast_claim where key like 'young%'"))
        .containsExactly("50");
  }

  private int run(int limit) throws SQLException {
    return run(purge, limit);
  }

  private int runOther(String scope) throws SQLException {
    return run(new Purge(database.tables, scope), 10);
  }

  private int run(Purge each, int limit) throws SQLException {
    try (Connection connection = database.begin()) {
      int deleted = each.run(connection, RETENTION, limit);
      connection.commit();
      return deleted;
    }
  }

  private void claims(String scope, String prefix, int count, String age) throws SQLException {
    database.execute(
        "insert into acklast_claim (scope, key, claimed_at) select '%s', '%s-' || i, clock_timestamp() - interval '%s' from generate_series(1, %d) as i"
            .formatted(scope, prefix, age, count));
  }

  private void attempt(String scope, String key, String age) throws SQLException {
    database.execute(
        "insert into acklast_attempt (scope, key, updated_at) values ('%s', '%s', clock_timestamp() - interval '%s')"
            .formatted(scope, key, age));
  }
}
