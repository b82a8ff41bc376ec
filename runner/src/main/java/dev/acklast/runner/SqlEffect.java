package dev.acklast.runner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.BatchHandler;
import dev.acklast.EffectTransaction;
import dev.acklast.FailedMessageException;
import dev.acklast.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
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
      if (messages.size() == 1) {
        applyTogether(messages, tx.connection());
      } else {
        applyBatch(messages, tx.connection());
      }
    } catch (SQLException e) {
      throw EffectFailedException.of(e);
    }
  }

  private void applyBatch(List<Message<JsonNode>> messages, Connection connection)
      throws Exception {
    Savepoint untouched = connection.setSavepoint();
    try {
      applyTogether(messages, connection);
    } catch (SQLException e) {
      if (!SqlFailure.isOfOneMessage(e)) {
        throw e;
      }
      connection.rollback(untouched);
      applyOneByOne(messages, connection);
    }
  }

  /** Finds the message to blame, which the driver names only in its text; all may pass. */
  private void applyOneByOne(List<Message<JsonNode>> messages, Connection connection)
      throws Exception {
    for (Message<JsonNode> message : messages) {
      try {
        applyTogether(List.of(message), connection);
      } catch (SQLException e) {
        if (SqlFailure.isOfOneMessage(e)) {
          throw new FailedMessageException(message, EffectFailedException.of(e));
        }
        throw e;
      }
    }
  }

  private void applyTogether(List<Message<JsonNode>> messages, Connection connection)
      throws Exception {
    if (statements.size() == 1 && statements.get(0).countsRows()) {
      applyAsBatch(statements.get(0), messages, connection);
    } else {
      script.apply(messages, connection);
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
