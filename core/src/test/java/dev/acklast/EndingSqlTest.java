package dev.acklast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndingSqlTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "commit|COMMIT",
        "COMMIT AND CHAIN|COMMIT",
        "end transaction|END",
        "abort;|ABORT",
        "rollback|ROLLBACK",
        "rollback work;select 1|ROLLBACK",
        "select 1;commit|COMMIT",
        "select ';';rollback|ROLLBACK",
        "select E'it\\'s;';end|END",
        "select $a$;$$x;$a$;commit|COMMIT",
        "prepare transaction 'x'|PREPARE"
      })
  void findsWhatEndsTheTransaction(String sql, String ending) {
    assertThat(EndingSql.in(sql)).isEqualTo(ending);
  }

  @Test
  void looksPastComments() {
    assertThat(EndingSql.in("/* why */ -- so\nCommit work")).isEqualTo("COMMIT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rollback to savepoint a",
        "rollback transaction to a",
        "rollback work to savepoint a",
        "savepoint a; release savepoint a",
        "insert into log values ('; commit')",
        "insert into log values ('it''s; commit')",
        "insert into \"commit; end\" values (1)",
        "select case when true then 1 end; select 2",
        "do $$ begin perform 1; end $$",
        "do $body$ begin perform 1; end $body$",
        "select 1 -- ; commit",
        "select 1 /* ; commit */",
        "prepare fetch_it as select 1",
        "update commission set amount = 1"
      })
  void leavesAllOthersAlone(String sql) {
    assertThat(EndingSql.in(sql)).isNull();
  }
}
