package dev.acklast.store;

import org.jspecify.annotations.Nullable;

/**
 * The names of Acklast's tables as they stand in SQL: quoted, and qualified with their schema.
 *
 * @param schema the schema's name, unquoted; null means wherever the search path leads, which
 *     {@link Schema#prepare} turns into a name, so that a handler's own search path changes nothing
 */
public record Tables(@Nullable String schema) {
  static final String CLAIM = "acklast_claim";
  static final String ATTEMPT = "acklast_attempt";

  /** The table of claims. */
  public String claim() {
    return qualified(CLAIM);
  }

  /** The attempt ledger. */
  public String attempt() {
    return qualified(ATTEMPT);
  }

  private String qualified(String table) {
    return schema == null ? table : quoted(schema) + "." + table;
  }

  static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }
}
