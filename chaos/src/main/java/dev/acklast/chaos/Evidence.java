package dev.acklast.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * All that an audit looks at. Immutable.
 *
 * @param letters in the dead-letter queue
 * @param remarks of whoever ran it: what did not end in time or in order
 */
record Evidence(
    Workload workload,
    Publications publications,
    Books books,
    List<Letter> letters,
    Residue residue,
    Witnesses witnesses,
    List<Finding> remarks) {
  /** The producer's log, in the run's folder. */
  static final String PUBLICATIONS = "publications.log";

  Evidence {
    letters = List.copyOf(letters);
    remarks = List.copyOf(remarks);
  }

  /**
   * Collects it.
   *
   * @param folder of the run: the producer's log, the workers' journals
   */
  static Evidence collect(
      Workload workload, Path folder, DataSource database, BrokerView broker, List<Finding> remarks)
      throws Exception {
    return new Evidence(
        workload,
        publications(folder),
        Books.read(database),
        broker.letters(),
        broker.residue(),
        Witnesses.read(folder),
        remarks);
  }

  private static Publications publications(Path folder) throws IOException {
    return Publications.read(folder.resolve(PUBLICATIONS));
  }

  /** The dead letters that name their key. */
  Map<String, List<Letter>> lettersByKey() {
    Map<String, List<Letter>> byKey = new HashMap<>();
    for (Letter letter : letters) {
      if (letter.key() != null) {
        byKey.computeIfAbsent(letter.key(), key -> new ArrayList<>()).add(letter);
      }
    }
    return byKey;
  }
}
