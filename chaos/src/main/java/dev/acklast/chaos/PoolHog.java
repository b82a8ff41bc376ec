package dev.acklast.chaos;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes all connections of a worker's pool for as long as a file says so. */
final class PoolHog {
  /** The file, in the run's folder. */
  static final String FILE = "hog";

  private static final Logger log = LoggerFactory.getLogger(PoolHog.class);
  private static final long LOOK_MILLIS = 200;

  private final HikariDataSource pool;
  private final Path file;
  private final int size;
  private final List<Connection> taken = new ArrayList<>();

  private PoolHog(HikariDataSource pool, Path file, int size) {
    this.pool = pool;
    this.file = file;
    this.size = size;
  }

  /**
   * Begins to look for the file.
   *
   * @param size the pool's
   */
  static void watch(HikariDataSource pool, Path folder, int size) {
    PoolHog hog = new PoolHog(pool, folder.resolve(FILE), size);
    Thread thread = new Thread(hog::run, "worker-hog");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        if (Files.exists(file)) {
          take();
        } else {
          giveBack();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take() {
    try {
      while (taken.size() < size) {
        taken.add(pool.getConnection());
      }
    } catch (SQLException e) {
      log.debug("The pool has no more connections to take", e);
    }
  }

  private void giveBack() {
    for (Connection connection : taken) {
      try {
        connection.close();
      } catch (SQLException e) {
        log.debug("A taken connection was lost", e);
      }
    }
    taken.clear();
  }
}
