package dev.acklast.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds the tables as found against what the promise needs of them. */
final class SchemaCheck {
  private static final Set<String> KEY = Set.of("scope", "key");

  /** Tables that do not exist, and whatever is wrong with those that do, each with its remedy. */
  record Findings(List<String> missing, List<String> wrong) {}

  private final Catalog catalog;
  private final String schema;

  SchemaCheck(Connection connection, String schema) {
    this.catalog = new Catalog(connection);
    this.schema = schema;
  }

  Findings run() throws SQLException {
    List<String> missing = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (TableShape shape : TableShape.ALL) {
      Optional<Catalog.Table> table = catalog.table(schema, shape.name());
      if (table.isEmpty()) {
        missing.add(shape.name());
      } else {
        check(shape, table.get(), wrong);
      }
    }
    return new Findings(List.copyOf(missing), List.copyOf(wrong));
  }

  private void check(TableShape shape, Catalog.Table table, List<String> wrong)
      throws SQLException {
    String name = shape.name();
    if (!table.kind().equals("r") && !table.kind().equals("p")) {
      wrong.add(name + " is no table; rename or drop it");
      return;
    }
    if (!table.permanent()) {
      wrong.add(
          name
              + " is unlogged or temporary and would be empty after a crash: alter table … set logged");
    }
    if (table.rowSecurity()) {
      wrong.add(name + " has row security for this role, which would hide claims: disable it");
    }
    columns(shape, table, wrong);
    if (!catalog.hasUniqueKey(table)) {
      wrong.add(
          name
              + " has no valid, immediate unique index on exactly (scope, key) under a"
              + " deterministic collation: alter table … add primary key (scope, key)"
              + (table.kind().equals("p") ? "; partition by scope or key, never by time" : ""));
    }
    for (String right : catalog.missingRights(schema, table)) {
      wrong.add(name + " may not be used: grant " + right + " to this role");
    }
  }

  private void columns(TableShape shape, Catalog.Table table, List<String> wrong)
      throws SQLException {
    Map<String, Catalog.Column> found = new HashMap<>();
    for (Catalog.Column column : catalog.columns(table)) {
      found.put(column.name(), column);
      if (!shape.columns().containsKey(column.name())
          && !column.nullable()
          && !column.hasDefault()) {
        wrong.add(
            shape.name()
                + "."
                + column.name()
                + " is unknown, not null and without a default: give it one or drop not null");
      }
    }
    shape.columns().keySet().stream()
        .sorted()
        .forEach(name -> column(shape, name, found.get(name), wrong));
  }

  private static void column(
      TableShape shape, String name, Catalog.@Nullable Column column, List<String> wrong) {
    String where = shape.name() + "." + name;
    String type = shape.columns().get(name);
    if (column == null) {
      wrong.add(where + " is missing: add it as " + type);
      return;
    }
    if (!shape.accepts(name, column.type())) {
      wrong.add(where + " is " + column.type() + ": make it " + type);
    }
    if (KEY.contains(name) && column.nullable()) {
      wrong.add(where + " is nullable, and nulls never conflict: alter column … set not null");
    }
    if (KEY.contains(name) && !column.deterministic()) {
      wrong.add(
          where
              + " has a nondeterministic collation, which merges different keys: make it"
              + " text collate \"C\"");
    }
  }
}
