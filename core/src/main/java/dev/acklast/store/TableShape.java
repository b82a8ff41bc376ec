package dev.acklast.store;

import java.util.List;
import java.util.Map;

/**
 * What a table must be like.
 *
 * @param name without the schema
 * @param columns each column's type, as PostgreSQL's {@code format_type} spells it
 */
record TableShape(String name, Map<String, String> columns) {
  private static final String TIME = "timestamp with time zone";

  static final List<TableShape> ALL =
      List.of(
          new TableShape(
              Tables.CLAIM,
              Map.of("scope", "text", "key", "text", "version", "integer", "claimed_at", TIME)),
          new TableShape(
              Tables.ATTEMPT,
              Map.ofEntries(
                  Map.entry("scope", "text"),
                  Map.entry("key", "text"),
                  Map.entry("attempts", "integer"),
                  Map.entry("run", "text"),
                  Map.entry("run_alone", "boolean"),
                  Map.entry("started_at", TIME),
                  Map.entry("not_before", TIME),
                  Map.entry("dead_at", TIME),
                  Map.entry("death_id", "text"),
                  Map.entry("death_reason", "text"),
                  Map.entry("last_error", "text"),
                  Map.entry("updated_at", TIME))));

  /**
   * An unlimited varchar is a text by another name; a limited one refuses keys, and char(n) pads.
   */
  boolean accepts(String column, String type) {
    String wanted = columns.get(column);
    return type.equals(wanted) || ("text".equals(wanted) && type.equals("character varying"));
  }
}
