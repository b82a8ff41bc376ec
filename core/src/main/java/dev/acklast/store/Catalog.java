package dev.acklast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the system catalogs, which every role may do, whatever it may do with the tables. */
final class Catalog {
  /** A table as found. {@code kind} is {@code pg_class.relkind}. */
  record Table(long oid, String kind, boolean permanent, boolean rowSecurity) {}

  /** A column as found. */
  record Column(
      String name, String type, boolean nullable, boolean hasDefault, boolean deterministic) {}

  private final Connection connection;

  Catalog(Connection connection) {
    this.connection = connection;
  }

  /**
   * The schema that holds {@code table} on the search path, else the path's first; null if none.
   */
  @Nullable String schemaOf(String table) throws SQLException {
    return one(
        """
        select coalesce((select n.nspname from pg_catalog.pg_class c
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where c.relname = ? and pg_catalog.pg_table_is_visible(c.oid)),
          current_schema())::text""",
        table);
  }

  boolean hasSchema(String schema) throws SQLException {
    return one("select oid from pg_catalog.pg_namespace where nspname = ?", schema) != null;
  }

  String serverEncoding() throws SQLException {
    return Objects.requireNonNull(one("select pg_catalog.getdatabaseencoding()"), "encoding");
  }

  Optional<Table> table(String schema, String name) throws SQLException {
    String sql =
        """
        select c.oid, c.relkind::text, c.relpersistence = 'p', row_security_active(c.oid)
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ? and c.relname = ?""";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, schema);
      statement.setString(2, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Table(row.getLong(1), row.getString(2), row.getBoolean(3), row.getBoolean(4)))
            : Optional.empty();
      }
    }
  }

  List<Column> columns(Table table) throws SQLException {
    String sql =
        """
        select a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), not a.attnotnull,
               a.atthasdef or a.attidentity <> '', coalesce(l.collisdeterministic, true)
        from pg_catalog.pg_attribute a left join pg_catalog.pg_collation l on l.oid = a.attcollation
        where a.attrelid = ? and a.attnum > 0 and not a.attisdropped order by a.attnum""";
    List<Column> columns = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, table.oid());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          columns.add(
              new Column(
                  row.getString(1),
                  row.getString(2),
                  row.getBoolean(3),
                  row.getBoolean(4),
                  row.getBoolean(5)));
        }
      }
    }
    return columns;
  }

  /**
   * Whether a unique index on exactly (scope, key), in either order, decides conflicts at once: not
   * partial, not deferrable, not invalid, and under a deterministic collation.
   */
  boolean hasUniqueKey(Table table) throws SQLException {
    String sql =
        """
        select exists (
          select from pg_catalog.pg_index i
          where i.indrelid = ? and i.indisunique and i.indisvalid and i.indimmediate
            and i.indpred is null and i.indexprs is null and i.indnkeyatts = 2
            and (select array_agg(a.attname::text order by a.attname)
                 from pg_catalog.pg_attribute a
                 where a.attrelid = i.indrelid and a.attnum in (i.indkey[0], i.indkey[1]))
                = array['key', 'scope']
            and not exists (
              select from pg_catalog.pg_collation l
              where l.oid in (i.indcollation[0], i.indcollation[1])
                and not l.collisdeterministic))""";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, table.oid());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /** Those of SELECT, INSERT, UPDATE and DELETE that the current role lacks, and USAGE likewise. */
  List<String> missingRights(String schema, Table table) throws SQLException {
    String sql =
        """
        select 'USAGE on schema ' || ?
        where not pg_catalog.has_schema_privilege(?, 'USAGE')
        union all
        select r from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as r
        where not pg_catalog.has_table_privilege(?::oid, r)""";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, schema);
      statement.setString(2, schema);
      statement.setLong(3, table.oid());
      return List.copyOf(Sql.firstColumn(statement.executeQuery()));
    }
  }

  private @Nullable String one(String sql, String... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }
}
