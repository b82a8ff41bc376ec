package dev.acklast;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads a pool's size, if it is one whose size can be read. */
final class PoolSize {
  private PoolSize() {}

  static @Nullable Integer of(DataSource dataSource) {
    try {
      return Hikari.sizeOf(dataSource);
    } catch (LinkageError e) {
      return null; // HikariCP is not on the class path, so the pool is none of its
    }
  }

  /** In a class of its own, so that it is loaded only when needed. */
  private static final class Hikari {
    private static @Nullable Integer sizeOf(DataSource dataSource) {
      try {
        return dataSource.isWrapperFor(HikariDataSource.class)
            ? Integer.valueOf(dataSource.unwrap(HikariDataSource.class).getMaximumPoolSize())
            : null;
      } catch (SQLException e) {
        return null;
      }
    }
  }
}
