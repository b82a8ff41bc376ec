package dev.acklast.runner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several statements as one text, repeated for several messages, which the driver sends in one
 * round trip. The repetitions are powers of four, so that few texts come about and the driver keeps
 * their statements prepared.
 */
final class SqlScript {
  private static final int[] REPETITIONS = {64, 16, 4, 1};
  private static final int LONGEST_TEXT = 1 << 18;

  private final List<SqlStatement> statements;
  private final String once;

  SqlScript(List<SqlStatement> statements) {
    this.statements = statements;
    // A line break, as a statement may end with a comment.
    this.once =
        statements.stream().map(SqlStatement::jdbc).collect(Collectors.joining("\n;\n", "", "\n"));
  }

  void apply(List<Message<JsonNode>> messages, Connection connection) throws Exception {
    int done = 0;
    while (done < messages.size()) {
      int many = repetitions(messages.size() - done);
      apply(messages.subList(done, done + many), many, connection);
      done += many;
    }
  }

  private int repetitions(int waiting) {
    for (int many : REPETITIONS) {
      if (many <= waiting && (long) many * once.length() <= LONGEST_TEXT) {
        return many;
      }
    }
    return 1;
  }

  private void apply(List<Message<JsonNode>> messages, int many, Connection connection)
      throws Exception {
    String text = String.join(";\n", Collections.nCopies(many, once));
    try (PreparedStatement target = connection.prepareStatement(text)) {
      int index = 1;
      for (Message<JsonNode> message : messages) {
        for (SqlStatement statement : statements) {
          index = SqlBinding.bind(target, index, statement, message);
        }
      }
      target.execute();
    }
  }
}
