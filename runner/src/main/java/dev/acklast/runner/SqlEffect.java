package dev.acklast.runner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.BatchHandler;
import dev.acklast.EffectTransaction;
import dev.acklast.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Applies SQL for a batch of messages, always in the order of one message after the other and, for
 * each message, one statement after the other: no statement sees less or more than it would if the
 * messages came alone. One statement that only counts rows goes to the database as one JDBC batch;
 * several go as a script, many messages at a time.
 */
final class SqlEffect implements BatchHandler<JsonNode> {
  private final List<SqlStatement> statements;
  private final SqlScript script;

  SqlEffect(List<SqlStatement> statements) {
    this.statements = statements;
    this.script = new SqlScript(statements);
  }

  @Override
  public void apply(List<Message<JsonNode>> messages, EffectTransaction tx) throws Exception {
    try {
      if (statements.size() == 1 && statements.get(0).countsRows()) {
        applyAsBatch(statements.get(0), messages, tx.connection());
      } else {
        script.apply(messages, tx.connection());
      }
    } catch (SQLException e) {
      throw SqlFailure.withoutValues(e);
    }
  }

  private static void applyAsBatch(
      SqlStatement statement, List<Message<JsonNode>> messages, Connection connection)
      throws Exception {
    try (PreparedStatement target = connection.prepareStatement(statement.jdbc())) {
      for (Message<JsonNode> message : messages) {
        SqlBinding.bind(target, 1, statement, message);
        target.addBatch();
      }
      target.executeBatch();
    }
  }
}
