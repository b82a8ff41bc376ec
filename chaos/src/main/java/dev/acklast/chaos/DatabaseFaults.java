package dev.acklast.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** What happens to the database. */
final class DatabaseFaults {
  private static final int BYGONE_CLAIMS = 5_000;

  private DatabaseFaults() {}

  static List<Fault> all() {
    return List.of(
        new Kill(),
        new Freeze(),
        new EndSessions(),
        new NoConnectionLeft(),
        new EmptyPool(),
        new Serializable(),
        new LockedClaims(),
        new PurgeDuringRedelivery(),
        new FullDisk());
  }

  static final class Kill implements Fault {
    @Override
    public String name() {
      return "kill -9 of PostgreSQL";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      stage.database().server().kill();
      return Injected.forMillis(
          "", 500 + random.nextInt(3_000), () -> stage.database().server().start());
    }
  }

  static final class Freeze implements Fault {
    @Override
    public String name() {
      return "PostgreSQL hangs";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      stage.database().server().freeze();
      return Injected.forMillis(
          "", 2_000 + random.nextInt(3_000), () -> stage.database().server().thaw());
    }
  }

  static final class EndSessions implements Fault {
    @Override
    public String name() {
      return "pg_terminate_backend";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws InterruptedException {
      int ended = 0;
      for (int turn = 0; turn < 3; turn++) {
        ended += stage.database().endSessions();
        Thread.sleep(300);
      }
      return Injected.atOnce(ended + " sessions");
    }
  }

  /** All slots for usual roles are taken, so that workers get 53300. */
  static final class NoConnectionLeft implements Fault {
    @Override
    public String name() {
      return "too many connections";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      List<Connection> taken = new ArrayList<>();
      stage.database().endSessions();
      for (int tries = 0; tries < 80; tries++) {
        try {
          taken.add(stage.database().asWorker().getConnection());
        } catch (SQLException e) {
          break;
        }
      }
      return Injected.forMillis(
          taken.size() + " taken",
          3_000,
          () -> {
            for (Connection connection : taken) {
              connection.close();
            }
          });
    }
  }

  /** Another part of each worker takes its pool's connections. */
  static final class EmptyPool implements Fault {
    @Override
    public String name() {
      return "pool exhausted";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws Exception {
      Path file = Files.createFile(stage.folder().resolve(PoolHog.FILE));
      return Injected.forMillis("", 6_000, () -> Files.deleteIfExists(file));
    }
  }

  /** Sessions that begin from now on are serializable, and their transactions fail in numbers. */
  static final class Serializable implements Fault {
    @Override
    public String name() {
      return "serialization failures";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      String level = random.nextBoolean() ? "serializable" : "repeatable read";
      isolation(stage, "set default_transaction_isolation = '" + level + "'");
      return Injected.forMillis(
          level, 5_000, () -> isolation(stage, "reset default_transaction_isolation"));
    }

    private static void isolation(Stage stage, String setting) {
      stage.database().execute("alter role " + Database.ROLE + " " + setting);
      stage.database().endSessions();
    }
  }

  /** A migration holds the table of claims. */
  static final class LockedClaims implements Fault {
    @Override
    public String name() {
      return "claims are locked";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws SQLException {
      Connection connection = stage.database().dataSource().getConnection();
      connection.setAutoCommit(false);
      try (var statement = connection.createStatement()) {
        statement.execute("set lock_timeout = '3s'");
        statement.execute("lock table acklast_claim in access exclusive mode");
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
      return Injected.forMillis("", 2_500, connection::close);
    }
  }

  /** Many claims are past their retention, and while they are purged, messages come again. */
  static final class PurgeDuringRedelivery implements Fault {
    @Override
    public String name() {
      return "purge during redelivery";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws InterruptedException {
      String prefix = Tables.BYGONE + Long.toHexString(random.nextLong()) + "-";
      stage
          .database()
          .execute(
              "insert into acklast_claim(scope, key, claimed_at)"
                  + " select ?, ? || n, now() - interval '2 days' from generate_series(1, ?) as n",
              Tables.SCOPE,
              prefix,
              BYGONE_CLAIMS);
      // A worker purges soon after it begins, at a moment of its own.
      for (int turn = 0; turn < 4; turn++) {
        stage.broker().workerLinks().forEach(link -> link.cut());
        Thread.sleep(700);
      }
      return Injected.atOnce(BYGONE_CLAIMS + " claims");
    }
  }

  /** Nothing more can be written; PostgreSQL may end by itself. */
  static final class FullDisk implements Fault {
    @Override
    public String name() {
      return "full disk under PostgreSQL";
    }

    @Override
    public boolean appliesTo(Stage stage) {
      return stage.ballast() != null;
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws Exception {
      Ballast ballast = Objects.requireNonNull(stage.ballast());
      ballast.fill();
      return Injected.forMillis(
          "",
          4_000,
          () -> {
            ballast.empty();
            stage.database().server().start();
          });
    }
  }
}
