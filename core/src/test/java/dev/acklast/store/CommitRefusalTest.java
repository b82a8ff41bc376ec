package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitRefusalTest {
  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "23505", "25P02", "22003", "42501", "P0001", "57014"})
  void serverHasRefused(String state) {
    assertThat(CommitRefusal.proves(new SQLException("x", state))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "08006", "08003", "08007", "40003", "57P01", "57P02", "57P03", "57P05", "25P04", "53100",
        "58030", "XX000", "ZZ001", "", "4"
      })
  void doubtRemains(String state) {
    assertThat(CommitRefusal.proves(new SQLException("x", state))).isFalse();
  }

  @Test
  void doubtRemainsWithoutState() {
    assertThat(CommitRefusal.proves(new SQLException("x"))).isFalse();
    assertThat(CommitRefusal.proves(new SQLException("x", null, new IOException()))).isFalse();
    assertThat(CommitRefusal.proves(new IllegalStateException())).isFalse();
    assertThat(CommitRefusal.proves(new OutOfMemoryError())).isFalse();
  }
}
