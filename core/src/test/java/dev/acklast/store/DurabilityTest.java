package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.spi.RefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurabilityTest {
  @Test
  void asynchronousCommitIsRefusedUnlessAccepted() throws SQLException {
    try (Connection connection = connection("off")) {
      assertThatThrownBy(() -> Durability.check(connection, false))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("synchronous_commit");
      assertThatCode(() -> Durability.check(connection, true)).doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "local", "remote_write", "remote_apply"})
  void commitThatWaitsForTheDiskIsDurable(String setting) throws SQLException {
    try (Connection connection = connection(setting)) {
      assertThatCode(() -> Durability.check(connection, false)).doesNotThrowAnyException();
    }
  }

  private static Connection connection(String setting) throws SQLException {
    return TestDatabase.begin(
        TestDatabase.empty().with("options=-c%20synchronous_commit=" + setting));
  }
}
