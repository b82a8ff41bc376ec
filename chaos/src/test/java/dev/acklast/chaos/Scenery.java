package dev.acklast.chaos;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * A run that went well, written down by hand: the producer's log, the workers' journals, a real
 * database and what a broker would show. Tests then spoil one thing of it.
 */
final class Scenery implements BrokerView {
  static final int INTENTS = 3_000;

  final Workload workload = new Workload(7);
  final Path folder;
  final DataSource database;
  final List<Letter> letters = new ArrayList<>();
  final List<Finding> remarks = new ArrayList<>();
  Residue residue = new Residue(0, 0, 0);
  private final Jdbi jdbi;

  Scenery(Path folder) throws Exception {
    PostgresServer server = Servers.sharedPostgres();
    this.folder = folder;
    this.database = server.dataSourceOf(server.createDatabase(Servers.uniqueName("audit")));
    this.jdbi = Jdbi.create(database);
    Tables.create(database);
    publish();
    endWell();
  }

  private void publish() throws Exception {
    try (PublicationLog log = new PublicationLog(folder.resolve(Evidence.PUBLICATIONS))) {
      for (int index = 0; index < INTENTS; index++) {
        List<Message> copies = new ArrayList<>();
        for (int copy = 1; copy <= workload.copies(index); copy++) {
          copies.add(Message.copy(workload.intent(index), copy));
        }
        log.confirmed(copies);
      }
      log.unknown(List.of(Message.copy(workload.intent(INTENTS), 1)));
    }
  }

  private void endWell() throws Exception {
    Journal journal = new Journal(folder.resolve("worker-1.journal"), "worker-1");
    jdbi.useTransaction(
        handle -> {
          PreparedBatch effects = handle.prepareBatch(Effects.TRANSFER);
          for (int index = 0; index < INTENTS; index++) {
            Intent intent = workload.intent(index);
            if (intent.fate().applies()) {
              Object[] arguments = Effects.arguments(intent, 1, "worker-1");
              for (int place = 0; place < arguments.length; place++) {
                effects.bind(place, arguments[place]);
              }
              effects.add();
            } else {
              die(intent, journal);
            }
          }
          effects.execute();
          handle.execute("insert into acklast_claim(scope, key) select 'chaos', key from effect");
        });
  }

  private void die(Intent intent, Journal journal) {
    int runs =
        switch (intent.fate()) {
          case POISON -> Workload.MAX_ATTEMPTS;
          case KILLER -> Workload.MAX_ATTEMPTS + 2;
          case REFUSED -> 1;
          default -> 0;
        };
    for (int run = 0; run < runs; run++) {
      journal.write(Journal.RUN, intent.key(), intent.key() + "/1", "");
      if (intent.fate() == Fate.KILLER) {
        journal.write(Journal.HALT, intent.key(), intent.key() + "/1", "");
      }
    }
    letters.add(letter(intent, Math.min(runs, Workload.MAX_ATTEMPTS)));
  }

  Letter letter(Intent intent, int attempts) {
    return letter(intent, "death of " + intent.key(), intent.fate().deathReason(), attempts);
  }

  Letter letter(Intent intent, String id, String reason, int attempts) {
    Letter.Death death = new Letter.Death(id, reason, attempts);
    return new Letter(intent.key(), intent.key() + "/1", intent.body(), death);
  }

  /** The first intent of this fate that was published once. */
  Intent any(Fate fate) {
    for (int index = 0; index < INTENTS; index++) {
      if (workload.intent(index).fate() == fate && workload.copies(index) == 1) {
        return workload.intent(index);
      }
    }
    throw new IllegalStateException("no " + fate);
  }

  void replaceLetter(Intent intent, Letter other) {
    letters.removeIf(letter -> intent.key().equals(letter.key()));
    letters.add(other);
  }

  void execute(String sql, Object... arguments) {
    int rows = jdbi.withHandle(handle -> handle.execute(sql, arguments));
    if (rows == 0) {
      throw new IllegalStateException("changed nothing: " + sql);
    }
  }

  @Override
  public List<Letter> letters() {
    return letters;
  }

  @Override
  public Residue residue() {
    return residue;
  }

  Audit.Report audit() throws Exception {
    return Audit.of(Evidence.collect(workload, folder, database, this, remarks), 3);
  }

  Map<String, List<String>> historyOf(String key) throws Exception {
    return new History(folder, database, letters).of(Set.of(key));
  }
}
