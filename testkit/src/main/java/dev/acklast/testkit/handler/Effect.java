package dev.acklast.testkit.handler;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** How the effect is looked at: by queries, whose rows count in any order, and by functions. */
final class Effect {
  private static final int SHOWN = 5;

  private final Map<String, Callable<List<String>>> looks = new LinkedHashMap<>();

  void addQuery(DataSource database, String sql) {
    looks.put(sql, () -> rows(database, sql));
  }

  void addFunction(String name, Callable<?> look) {
    looks.put(name, () -> List.of(String.valueOf(look.call())));
  }

  boolean isEmpty() {
    return looks.isEmpty();
  }

  /** What is there now. */
  State look() throws Exception {
    Map<String, List<String>> seen = new LinkedHashMap<>();
    for (var look : looks.entrySet()) {
      seen.put(look.getKey(), look.getValue().call());
    }
    return new State(seen);
  }

  private static List<String> rows(DataSource database, String sql) throws SQLException {
    return OwnWork.in(database, statement -> rows(statement.executeQuery(sql)));
  }

  private static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<String> values = new ArrayList<>();
      for (int column = 1; column <= columns; column++) {
        values.add(String.valueOf(result.getString(column)));
      }
      rows.add("(" + String.join(", ", values) + ")");
    }
    rows.sort(null);
    return rows;
  }

  /**
   * The effect at one moment.
   *
   * @param rows of each look, sorted
   */
  record State(Map<String, List<String>> rows) {
    /** Whether something of the other is missing here. */
    boolean lacks(State other) {
      return other.rows.entrySet().stream()
          .anyMatch(look -> !minus(look.getValue(), rowsOf(look.getKey())).isEmpty());
    }

    /** How this differs from what was expected, in words. */
    String against(State expected) {
      StringBuilder words = new StringBuilder();
      for (String look : expected.rows.keySet()) {
        List<String> missing = minus(expected.rowsOf(look), rowsOf(look));
        List<String> surplus = minus(rowsOf(look), expected.rowsOf(look));
        if (!missing.isEmpty() || !surplus.isEmpty()) {
          words.append(words.isEmpty() ? "" : "; ").append('"').append(look).append('"');
          words.append(surplus.isEmpty() ? "" : " has " + some(surplus) + " too much");
          words.append(missing.isEmpty() || surplus.isEmpty() ? "" : " and");
          words.append(missing.isEmpty() ? "" : " lacks " + some(missing));
        }
      }
      return words.toString();
    }

    private List<String> rowsOf(String look) {
      return rows.getOrDefault(look, List.of());
    }

    private static List<String> minus(List<String> all, List<String> without) {
      List<String> left = new ArrayList<>(all);
      without.forEach(left::remove);
      return left;
    }

    private static String some(List<String> rows) {
      String shown = String.join(" ", rows.subList(0, Math.min(SHOWN, rows.size())));
      return rows.size() > SHOWN ? shown + " and " + (rows.size() - SHOWN) + " more" : shown;
    }
  }
}
