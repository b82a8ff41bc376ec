package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.servers.Servers;
import dev.acklast.spi.RefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = TestDatabase.empty();
  }

  @Test
  void createsTablesAndTheirSchemaAndFindsThemRight() throws SQLException {
    Tables tables = new Tables("inbox");
    assertThat(prepare(database.dataSource, tables, true)).isEqualTo(tables);
    assertThat(prepare(database.dataSource, tables, false)).isEqualTo(tables);
    assertThat(database.column("select count(*) from inbox.acklast_claim")).containsExactly("0");
  }

  @Test
  void oddSchemaNameIsQuoted() throws SQLException {
    Tables tables = new Tables("Odd \"name\" select");
    prepare(database.dataSource, tables, true);
    try (Connection connection = database.begin()) {
      assertThat(
              new Inbox(tables, "s")
                  .claim(connection, List.of("a"), java.time.Duration.ofMillis(10)))
          .containsExactly("a");
    }
  }

  @Test
  void withoutSchemaTheSearchPathsFirstIsUsedAndNamed() throws SQLException {
    database.execute("create schema first");
    DataSource source = database.with("currentSchema=first,public");
    assertThat(prepare(source, new Tables(null), true)).isEqualTo(new Tables("first"));
  }

  @Test
  void withoutSchemaTablesFurtherDownTheSearchPathAreFound() throws SQLException {
    database.execute("create schema first");
    prepare(database.dataSource, new Tables("public"), true);
    DataSource source = database.with("currentSchema=first,public");
    assertThat(prepare(source, new Tables(null), true)).isEqualTo(new Tables("public"));
    assertThat(
            database.column(
                "select nspname from pg_namespace n join pg_class c"
                    + " on c.relnamespace = n.oid where relname = 'acklast_attempt'"))
        .containsExactly("public");
  }

  @Test
  void searchPathThatLeadsNowhereIsRefused() {
    DataSource source = database.with("currentSchema=nowhere");
    assertThatThrownBy(() -> prepare(source, new Tables(null), true))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("search path");
  }

  @Test
  void manyInstancesMayStartAtOnceWhateverTheirIsolation() throws Exception {
    int instances = 12;
    ExecutorService threads = Executors.newFixedThreadPool(instances);
    CyclicBarrier barrier = new CyclicBarrier(instances);
    DataSource repeatable =
        database.with("options=-c%20default_transaction_isolation=repeatable%5C%20read");
    try {
      List<Future<Tables>> starts = new ArrayList<>();
      for (int i = 0; i < instances; i++) {
        DataSource source = i % 2 == 0 ? database.dataSource : repeatable;
        starts.add(
            threads.submit(
                () -> {
                  barrier.await(30, TimeUnit.SECONDS);
                  return prepare(source, new Tables("inbox"), true);
                }));
      }
      for (Future<Tables> start : starts) {
        assertThat(start.get()).isEqualTo(new Tables("inbox"));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void missingTablesAreRefusedWithTheirSqlWhereCreatingIsOff() throws SQLException {
    String text = refusal(database.dataSource, new Tables("inbox"), false);
    assertThat(text).contains("acklast_claim and acklast_attempt missing in schema inbox");

    database.execute(text.substring(text.indexOf("create schema")));
    assertThatCode(() -> prepare(database.dataSource, new Tables("inbox"), false))
        .doesNotThrowAnyException();
  }

  @Test
  void onlyTheMissingTableIsCreated() throws SQLException {
    prepare(database.dataSource, database.tables, true);
    database.execute("insert into acklast_claim(scope, key) values ('s', 'kept')");
    database.execute("drop table acklast_attempt");
    prepare(database.dataSource, database.tables, true);
    assertThat(database.column("select key from acklast_claim")).containsExactly("kept");
    assertThat(database.column("select count(*) from acklast_attempt")).containsExactly("0");
  }

  @Test
  void roleThatMayNotCreateIsToldTheSql() throws SQLException {
    String role = database.role();
    assertThat(refusal(database.as(role), new Tables("inbox"), true))
        .contains("lacks the rights", "create table if not exists \"inbox\".acklast_claim");
    database.execute("create schema inbox");
    assertThat(refusal(database.as(role), new Tables("inbox"), true)).contains("lacks the rights");
  }

  @Test
  void roleThatLacksRightsOnTheTablesIsToldWhich() throws SQLException {
    prepare(database.dataSource, new Tables("inbox"), true);
    String role = database.role();
    database.execute("grant select, insert on inbox.acklast_claim to " + role);
    assertThat(refusal(database.as(role), new Tables("inbox"), true))
        .contains(
            "grant USAGE on schema inbox",
            "acklast_claim may not be used: grant DELETE",
            "acklast_claim may not be used: grant UPDATE",
            "acklast_attempt may not be used: grant SELECT")
        .doesNotContain("acklast_claim may not be used: grant INSERT");
  }

  @Test
  @Tag("D21")
  void nullableKeyWithoutUniqueIndexIsRefused() throws SQLException {
    recreateClaim("scope text, key text, version int, claimed_at timestamptz");
    assertThat(refusal())
        .contains(
            "acklast_claim.scope is nullable",
            "acklast_claim.key is nullable",
            "acklast_claim has no valid, immediate unique index on exactly (scope, key)");
  }

  @Test
  void everyWrongThingIsNamedAtOnce() throws SQLException {
    database.execute("create extension if not exists citext");
    recreateClaim(
        "scope char(20) not null, key citext not null, version text, extra int not null,"
            + " primary key (scope, key, version)");
    assertThat(refusal())
        .contains(
            "acklast_claim.scope is character(20): make it text",
            "acklast_claim.key is citext: make it text",
            "acklast_claim.version is text: make it integer",
            "acklast_claim.claimed_at is missing: add it as timestamp with time zone",
            "acklast_claim.extra is unknown, not null and without a default",
            "no valid, immediate unique index");
  }

  @Test
  void nondeterministicCollationIsRefused() throws SQLException {
    database.execute(
        "create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
    recreateClaim(
        "scope text not null, key text collate ci not null, version int,"
            + " claimed_at timestamptz, primary key (scope, key)");
    assertThat(refusal())
        .contains("acklast_claim.key has a nondeterministic collation", "unique index");
  }

  @Test
  @Tag("D16")
  void partitioningByTimeIsRefusedAndByKeyAccepted() throws SQLException {
    String columns =
        "scope text not null, key text not null, version int, claimed_at timestamptz, ";
    recreateClaim(
        columns + "primary key (scope, key, claimed_at)", "partition by range (claimed_at)");
    assertThat(refusal()).contains("never by time");

    recreateClaim(columns + "primary key (scope, key)", "partition by hash (scope, key)");
    database.execute(
        "create table p0 partition of acklast_claim for values with (modulus 2, remainder 0)");
    database.execute(
        "create table p1 partition of acklast_claim for values with (modulus 2, remainder 1)");
    assertThatCode(() -> prepare(database.dataSource, database.tables, false))
        .doesNotThrowAnyException();
  }

  @Test
  void uniqueIndexThatDoesNotDecideAtOnceIsRefused() throws SQLException {
    String columns = "scope text not null, key text not null, version int, claimed_at timestamptz";
    recreateClaim(columns + ", unique (scope, key) deferrable");
    assertThat(refusal()).contains("unique index");
    recreateClaim(columns);
    database.execute("create unique index on acklast_claim (scope, key) where version = 1");
    assertThat(refusal()).contains("unique index");
    database.execute("create unique index on acklast_claim (key, scope)");
    assertThatCode(() -> prepare(database.dataSource, database.tables, false))
        .doesNotThrowAnyException();
  }

  @Test
  void tableThatForgetsOrHidesClaimsIsRefused() throws SQLException {
    prepare(database.dataSource, database.tables, true);
    database.execute("alter table acklast_claim set unlogged");
    assertThat(refusal()).contains("acklast_claim is unlogged");
    database.execute("alter table acklast_claim set logged");
    String role = database.role();
    database.execute(
        "grant select, insert, update, delete on all tables in schema public to " + role);
    database.execute("alter table acklast_claim enable row level security");
    assertThat(refusal(database.as(role), database.tables, false)).contains("row security");
  }

  @Test
  void viewInPlaceOfTheTableIsRefused() throws SQLException {
    prepare(database.dataSource, database.tables, true);
    database.execute("alter table acklast_claim rename to hidden");
    database.execute("create view acklast_claim as select * from hidden");
    assertThat(refusal()).contains("acklast_claim is no table");
  }

  @Test
  void databaseThatCannotStoreEveryKeyIsRefused() throws SQLException {
    String name = Servers.uniqueName("latin");
    database.execute(
        "create database " + name + " encoding 'LATIN1' locale 'C' template template0");
    DataSource latin =
        Servers.sharedPostgres()
            .dataSourceOf(
                Servers.sharedPostgres()
                    .jdbcUrl()
                    .replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1"));
    assertThatThrownBy(() -> prepare(latin, database.tables, true))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("LATIN1");
  }

  @Test
  void ddlWithoutSchemaFollowsTheSearchPath() throws SQLException {
    assertThat(Schema.ddl(null)).doesNotContain("$").contains("not exists acklast_claim (");
    assertThat(Schema.ddl("a")).doesNotContain("$").contains("not exists \"a\".acklast_claim (");
    database.execute(Schema.ddl(null));
    assertThatCode(() -> prepare(database.dataSource, database.tables, false))
        .doesNotThrowAnyException();
  }

  private void recreateClaim(String columns) throws SQLException {
    recreateClaim(columns, "");
  }

  private void recreateClaim(String columns, String partitioning) throws SQLException {
    database.execute(Schema.ddl(null));
    database.execute("drop table acklast_claim");
    database.execute("create table acklast_claim (" + columns + ") " + partitioning);
  }

  private String refusal() {
    return refusal(database.dataSource, database.tables, true);
  }

  private static String refusal(DataSource source, Tables tables, boolean create) {
    try {
      prepare(source, tables, create);
      throw new AssertionError("not refused");
    } catch (RefusedException e) {
      return String.valueOf(e.getMessage());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static Tables prepare(DataSource source, Tables tables, boolean create)
      throws SQLException {
    try (Connection connection = TestDatabase.begin(source)) {
      Tables prepared = Schema.prepare(connection, tables, create);
      connection.commit();
      return prepared;
    }
  }
}
