package dev.acklast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;

/**
 * All that happened to some keys: from the producer's log, the workers' journals, the database and
 * the dead-letter queue.
 */
final class History {
  private static final List<String> QUERIES =
      List.of(
          "select 'effect', * from effect where key = ?",
          "select 'claim', * from acklast_claim where key = ?",
          "select 'ledger', * from acklast_attempt where key = ?");

  private final Path folder;
  private final DataSource database;
  private final List<Letter> letters;

  /**
   * @param folder the run's, with its logs
   * @param letters the dead letters
   */
  History(Path folder, DataSource database, List<Letter> letters) {
    this.folder = folder;
    this.database = database;
    this.letters = letters;
  }

  /** The histories, line by line and in order of time, of each of these keys. */
  Map<String, List<String>> of(Set<String> keys) throws IOException {
    Map<String, List<String>> lines = new HashMap<>();
    keys.forEach(key -> lines.put(key, new ArrayList<>()));
    List<Path> files = new ArrayList<>(Witnesses.journals(folder));
    files.add(folder.resolve(Evidence.PUBLICATIONS));
    for (Path file : files) {
      collect(file, lines);
    }
    lines.values().forEach(history -> history.sort(String::compareTo));
    lines.forEach((key, history) -> history.addAll(rows(key)));
    for (Letter letter : letters) {
      List<String> history = letter.key() == null ? null : lines.get(letter.key());
      if (history != null) {
        history.add("letter " + letter.messageId() + " " + letter.death());
      }
    }
    return lines;
  }

  /** The key is the fourth word in journals and the third in the producer's log. */
  private static void collect(Path file, Map<String, List<String>> lines) throws IOException {
    int place = file.endsWith(Evidence.PUBLICATIONS) ? 2 : 3;
    try (Stream<String> all = Files.lines(file)) {
      all.forEach(
          line -> {
            String[] words = line.split(" ", place + 2);
            List<String> history = words.length > place ? lines.get(words[place]) : null;
            if (history != null) {
              history.add(line);
            }
          });
    }
  }

  private List<String> rows(String key) {
    List<String> rows = new ArrayList<>();
    Jdbi.create(database)
        .useHandle(
            handle -> {
              for (String query : QUERIES) {
                handle.select(query, key).mapToMap().forEach(row -> rows.add(row.toString()));
              }
            });
    return rows;
  }
}
