package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlParserTest {
  private static SqlStatement one(String sql) {
    List<SqlStatement> statements = SqlParser.parse(sql);
    assertThat(statements).hasSize(1);
    return statements.get(0);
  }

  @Test
  void namedParametersBecomeQuestionMarksInOrder() {
    SqlStatement statement =
        one("insert into t values (:saleId, :customer.id, :\"sale-id\", :a.\"b c\", :saleId)");
    assertThat(statement.jdbc()).isEqualTo("insert into t values (?, ?, ?, ?, ?)");
    assertThat(statement.parameters())
        .extracting(SqlParameter::fields)
        .containsExactly(
            List.of("saleId"),
            List.of("customer", "id"),
            List.of("sale-id"),
            List.of("a", "b c"),
            List.of("saleId"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 'a :b ''c :d'''",
        "select E'it\\'s :b'",
        "select e'\\\\' from t",
        "select \"a:b :c\"",
        "select 1 -- :b 'c\n",
        "select 1 /* :b /* :c */ :d ' */",
        "select $$ :b ; ' $$",
        "select $body$ :b $$ :c; $body$",
        "select x::text, y :: date from t",
        "select f(a := 1)",
        "select a[1:2] from t",
        "select x1$y$z from t",
        "insert into t select 1"
      })
  void whatIsNoParameterIsLeftAsItIs(String sql) {
    SqlStatement statement = one(sql);
    assertThat(statement.jdbc()).isEqualTo(sql.strip());
    assertThat(statement.parameters()).isEmpty();
  }

  @Test
  void castsOfParametersAndOperatorsWithQuestionMarksWork() {
    assertThat(one("select :a::uuid, :b ::date").jdbc()).isEqualTo("select ?::uuid, ? ::date");
    assertThat(one("select doc ? 'a' and doc ?| :keys").jdbc())
        .isEqualTo("select doc ?? 'a' and doc ??| ?");
    assertThat(one("select '?'").jdbc()).isEqualTo("select '?'");
  }

  @Test
  void semicolonsSplitStatementsOutsideOfTexts() {
    assertThat(SqlParser.parse("insert into t values (';', :a); ; update t set b = :b; -- end\n"))
        .extracting(SqlStatement::jdbc)
        .containsExactly("insert into t values (';', ?)", "update t set b = ?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "insert into t values (1) | true",
        "UPDATE t set a = 1 | true",
        "/* first */ delete from t | true",
        "insert into t values (1) returning id | false",
        "insert into t values ('returning') | true",
        "select f() | false",
        "with x as (select 1) insert into t select 1 | false",
        "call f(1) | false"
      })
  void onlyStatementsThatCountRowsGoIntoJdbcBatches(String sql, boolean counts) {
    assertThat(one(sql).countsRows()).isEqualTo(counts);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "commit | must not hold commit",
        "Begin; insert into t values (1) | must not hold begin",
        "insert into t values (1); rollback | must not hold rollback",
        "set search_path = x | must not change the session",
        "select $1 | has a positional parameter",
        "-- nothing | holds no SQL statement",
        "; ; | holds no SQL statement",
        "select \"a | has a \" that is not closed",
        "select /* /* */ | has a /* that is not closed",
        "select $a$ $b$ | has a $a$ that is not closed",
        "select :acklast.kye | names a parameter that is not known",
        "select :acklast | names a parameter that is not known"
      })
  void whatCannotWorkIsRefused(String sql, String refusal) {
    assertThatThrownBy(() -> SqlParser.parse(sql))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(refusal);
  }

  @Test
  void localSettingsAndUnclosedTexts() {
    assertThat(one("set local lock_timeout = '1s'").countsRows()).isFalse();
    assertThatThrownBy(() -> SqlParser.parse("select 'a")).hasMessage("has a ' that is not closed");
  }
}
