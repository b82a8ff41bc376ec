package dev.acklast.store;

import dev.acklast.spi.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Acklast's tables: the SQL that makes them, and the check that they are as they must be. */
public final class Schema {
  private static final String FILE = "/dev/acklast/schema/V1__acklast.sql";
  private static final String PLACEHOLDER = "${acklast_schema}";
  private static final Set<String> ENCODINGS = Set.of("UTF8", "SQL_ASCII");

  private Schema() {}

  /**
   * The SQL that creates the tables where they are missing.
   *
   * @param schema the schema's name, unquoted; null leaves the names to the search path
   */
  public static String ddl(@Nullable String schema) {
    try (InputStream file = Schema.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException(FILE + " is missing from the jar");
      }
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      String statements = text.substring(text.indexOf("create table"));
      return schema == null
          ? statements.replace(PLACEHOLDER + ".", "")
          : statements.replace(PLACEHOLDER, Tables.quoted(schema));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Checks the tables, after creating those that are missing if that is allowed. Several instances
   * may do so at once.
   *
   * @param connection in a transaction that has run no statement yet; the caller commits, or rolls
   *     back if this throws
   * @return the tables with their schema's name, which is what the consumer should go on with
   * @throws RefusedException if tables are missing and may not be created, the role lacks a right,
   *     or what exists cannot keep the promise; the text says what to do, and holds the SQL
   * @throws SQLException if the database cannot be asked
   */
  public static Tables prepare(Connection connection, Tables tables, boolean create)
      throws SQLException {
    // Under REPEATABLE READ the second look below would not see what another instance has created.
    execute(connection, "set transaction isolation level read committed");
    Catalog catalog = new Catalog(connection);
    encoding(catalog.serverEncoding());
    String schema = tables.schema();
    if (schema == null) {
      schema = catalog.schemaOf(Tables.CLAIM);
    }
    if (schema == null) {
      throw new RefusedException(
          "the search path leads to no schema: configure one for Acklast's tables (schema: …)");
    }
    SchemaCheck check = new SchemaCheck(connection, schema);
    SchemaCheck.Findings findings = check.run();
    if (!findings.missing().isEmpty() && findings.wrong().isEmpty()) {
      if (!create) {
        throw missing(findings.missing(), schema, "creating tables is switched off");
      }
      create(connection, catalog, schema, findings.missing());
      findings = check.run();
    }
    if (!findings.wrong().isEmpty()) {
      throw wrong(findings.wrong(), schema);
    }
    return new Tables(schema);
  }

  private static void encoding(String encoding) {
    if (!ENCODINGS.contains(encoding)) {
      throw new RefusedException(
          "the database's encoding is "
              + encoding
              + ", which cannot store every key; Acklast's"
              + " tables need a database with encoding UTF8");
    }
  }

  private static void create(
      Connection connection, Catalog catalog, String schema, List<String> missing)
      throws SQLException {
    try {
      // "if not exists" alone fails now and then when two sessions create the same thing at once.
      execute(connection, "select pg_advisory_xact_lock(hashtextextended('acklast schema', 0))");
      if (!catalog.hasSchema(schema)) {
        execute(connection, "create schema " + Tables.quoted(schema));
      }
      if (!new SchemaCheck(connection, schema).run().missing().isEmpty()) {
        execute(connection, ddl(schema));
      }
    } catch (SQLException e) {
      if (Sql.INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
        RefusedException refused =
            missing(missing, schema, "this role lacks the rights to create them");
        refused.initCause(e);
        throw refused;
      }
      throw e;
    }
  }

  private static RefusedException missing(List<String> tables, String schema, String why) {
    return new RefusedException(
        String.join(" and ", tables)
            + " missing in schema "
            + schema
            + ", and "
            + why
            + ". Let a role that may do so run:\n\ncreate schema if not exists "
            + Tables.quoted(schema)
            + ";\n"
            + ddl(schema));
  }

  private static RefusedException wrong(List<String> findings, String schema) {
    return new RefusedException(
        "Acklast's tables in schema "
            + schema
            + " cannot keep the promise as they are:\n- "
            + String.join("\n- ", findings)
            + "\nThey should be as made by:\n\n"
            + ddl(schema));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
