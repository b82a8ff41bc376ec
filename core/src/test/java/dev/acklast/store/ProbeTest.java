package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class ProbeTest {
  @Test
  void writableDatabasePassesAndNothingIsLeftBehind() throws SQLException {
    TestDatabase database = TestDatabase.withTables();
    try (Connection connection = database.begin()) {
      Probe.check(connection, database.tables);
      assertThat(TestDatabase.one(connection, "select count(*) from acklast_claim")).isEqualTo("0");
      connection.rollback();
    }
  }

  @Test
  void readOnlyDatabaseIsAnOutage() throws SQLException {
    TestDatabase database = TestDatabase.withTables();
    DataSource readOnly = database.with("options=-c%20default_transaction_read_only=on");
    try (Connection connection = TestDatabase.begin(readOnly)) {
      assertThatThrownBy(() -> Probe.check(connection, database.tables))
          .satisfies(e -> assertThat(DatabaseFailure.of(e)).isEqualTo(DatabaseFailure.OUTAGE));
    }
  }

  @Test
  void missingTableIsNoOutage() throws SQLException {
    TestDatabase database = TestDatabase.empty();
    try (Connection connection = database.begin()) {
      assertThatThrownBy(() -> Probe.check(connection, database.tables))
          .satisfies(e -> assertThat(DatabaseFailure.of(e)).isEqualTo(DatabaseFailure.OTHER));
    }
  }
}
