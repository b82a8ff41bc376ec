package dev.acklast.store;

import static dev.acklast.store.DatabaseFailure.CONFLICT;
import static dev.acklast.store.DatabaseFailure.LOCK_TIMEOUT;
import static dev.acklast.store.DatabaseFailure.OTHER;
import static dev.acklast.store.DatabaseFailure.OUTAGE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseFailureTest {
  @ParameterizedTest
  @CsvSource({
    "08006, OUTAGE",
    "08003, OUTAGE",
    "25006, OUTAGE",
    "57P01, OUTAGE",
    "57P03, OUTAGE",
    "53100, OUTAGE",
    "53300, OUTAGE",
    "40001, CONFLICT",
    "40P01, CONFLICT",
    "55P03, LOCK_TIMEOUT",
    "23505, OTHER",
    "25P02, OTHER",
    "57014, OTHER",
    "42P01, OTHER",
    "XX000, OTHER"
  })
  @Tag("D02")
  void stateDecidesWhateverTheLanguageOfTheText(String state, DatabaseFailure expected) {
    assertThat(
            DatabaseFailure.of(
                new SQLException("la connexion a \u00e9t\u00e9 refus\u00e9e", state)))
        .isEqualTo(expected);
  }

  @Test
  void poolWithoutConnectionIsOutage() {
    assertThat(DatabaseFailure.of(new SQLTransientConnectionException("timed out")))
        .isEqualTo(OUTAGE);
    assertThat(DatabaseFailure.of(new SQLNonTransientConnectionException("closed", "28P01")))
        .isEqualTo(OUTAGE);
  }

  @Test
  void lostStreamWithoutStateIsOutageAndOtherStatelessFailuresAreNot() {
    assertThat(DatabaseFailure.of(new SQLException("x", null, new IOException("reset"))))
        .isEqualTo(OUTAGE);
    assertThat(DatabaseFailure.of(new SQLException("x", null, new IllegalStateException())))
        .isEqualTo(OTHER);
    assertThat(DatabaseFailure.of(new IOException("another service"))).isEqualTo(OTHER);
  }

  @Test
  void causesAndNextExceptionsAreLookedThrough() {
    SQLException batch = new BatchUpdateException("batch", "23505", 0, new int[0]);
    batch.setNextException(new SQLException("deadlock", "40P01"));
    assertThat(DatabaseFailure.of(new IllegalStateException("wrapped", batch))).isEqualTo(CONFLICT);
    batch.setNextException(new SQLException("gone", "57P01"));
    assertThat(DatabaseFailure.of(new IllegalStateException("wrapped", batch))).isEqualTo(OUTAGE);
    assertThat(DatabaseFailure.of(new RuntimeException(new SQLException("x", "55P03"))))
        .isEqualTo(LOCK_TIMEOUT);
  }

  @Test
  void circularCausesEnd() {
    SQLException one = new SQLException("one", "22000");
    SQLException other = new SQLException("other", "40001", one);
    one.initCause(other);
    assertThat(DatabaseFailure.of(one)).isEqualTo(CONFLICT);
  }
}
