package dev.acklast;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Ids and reports of dead letters. An id is a digest of what died, so every copy of one death has
 * the same id, whichever process publishes it and however often; a message that is redriven and
 * dies again gets a new one, as the id that it carried is part of the digest.
 */
final class Deaths {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_MESSAGE = 500;
  private static final int LONGEST_HEADER = 4_000;
  private static final int DEEPEST = 20;
  private static final List<String> MAPPERS =
      List.of("org.jdbi.", "org.springframework.", "org.hibernate.", "jakarta.persistence.");

  private Deaths() {}

  /** The id of the death that this message was redriven from; null if it is no redriven letter. */
  static @Nullable String carriedId(Envelope envelope) {
    Object header = envelope.headers().get(DeathReport.HEADER);
    String text = header instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : null;
    if (header instanceof String string) {
      text = string;
    }
    if (text == null || text.length() > LONGEST_HEADER) {
      return null;
    }
    try {
      JsonNode id = JSON.readTree(text).path("id");
      return id.isTextual() && id.textValue().length() <= 64 ? id.textValue() : null;
    } catch (IOException e) {
      return null; // somebody else's header of the same name: not ours to judge
    }
  }

  /** The id of the next death of this message. */
  static String id(InFlight<?> message) {
    String carried = message.carriedDeathId();
    String key = message.key();
    if (key != null) {
      return Digests.of("death", message.scope(), key, carried == null ? "" : carried);
    }
    String messageId = message.envelope().messageId();
    return Digests.of(
        "invalid",
        message.scope(),
        Digests.of(message.envelope().body()),
        messageId == null ? "" : messageId,
        carried == null ? "" : carried);
  }

  static DeathReport report(InFlight<?> message, String id, InFlight.Doom doom, Instant time) {
    Throwable cause = doom.cause();
    return new DeathReport(
        id,
        doom.reason().name(),
        doom.attempts(),
        cause == null ? null : cause.getClass().getName(),
        cause == null ? null : text(cause),
        message.envelope().source(),
        message.envelope().position(),
        message.consumer(),
        message.key(),
        time);
  }

  /**
   * What may be told of a failure in logs, headers and the ledger: bounded, on one line, without
   * control characters. A database's errors quote the values they refuse, so of those only the
   * state and the names of table and constraint are told; Jackson quotes what it reads, so of that
   * only the place. The same goes for whoever only repeats such a text, and for the mappers, whose
   * texts add the values themselves. Any other text is told as its author wrote it.
   */
  static String text(Throwable failure) {
    String text = quotedNowhere(failure);
    if (text == null) {
      return failure.getClass().getSimpleName();
    }
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .limit(LONGEST_MESSAGE)
        .map(
            c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? ' ' : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static @Nullable String quotedNowhere(Throwable failure) {
    if (failure instanceof SQLException sql) {
      return sqlText(sql);
    }
    Throwable quoting = failure;
    for (int depth = 0; !quotes(quoting); depth++) {
      quoting = quoting.getCause();
      if (quoting == null || depth == DEEPEST) {
        return failure.getMessage();
      }
    }
    if (quoting != failure && !repeats(failure, quoting)) {
      return failure.getMessage();
    }
    if (quoting instanceof SQLException sql) {
      return sqlText(sql);
    }
    JsonLocation place = ((JsonProcessingException) quoting).getLocation();
    String type = quoting.getClass().getSimpleName();
    return place == null
        ? type
        : type + " at line " + place.getLineNr() + ", column " + place.getColumnNr();
  }

  /** Plain exceptions of JDBC are in the words of whoever made them; the driver's quote values. */
  private static boolean quotes(Throwable failure) {
    return failure instanceof PSQLException
        || failure instanceof BatchUpdateException
        || failure instanceof JsonProcessingException;
  }

  private static boolean repeats(Throwable wrapper, Throwable quoting) {
    String type = wrapper.getClass().getName();
    if (MAPPERS.stream().anyMatch(type::startsWith)) {
      return true;
    }
    String text = String.valueOf(wrapper.getMessage());
    String quoted =
        quoting instanceof JsonProcessingException json
            ? json.getOriginalMessage()
            : quoting.getMessage();
    return quoted != null && text.contains(quoted);
  }

  /**
   * A failure with its stacks and causes, and with texts as {@link #text} tells them: for the log.
   */
  static Throwable shown(Throwable failure) {
    return shown(failure, 0);
  }

  private static Throwable shown(Throwable failure, int depth) {
    Throwable cause = failure.getCause();
    Throwable shown =
        new Exception(
            failure.getClass().getName() + ": " + text(failure),
            cause == null || depth >= DEEPEST ? null : shown(cause, depth + 1));
    shown.setStackTrace(failure.getStackTrace());
    return shown;
  }

  private static String sqlText(SQLException failure) {
    StringBuilder text = new StringBuilder("SQLState ").append(failure.getSQLState());
    if (failure instanceof PSQLException server && server.getServerErrorMessage() != null) {
      ServerErrorMessage details = server.getServerErrorMessage();
      append(text, " table ", details.getTable());
      append(text, " column ", details.getColumn());
      append(text, " constraint ", details.getConstraint());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String what, @Nullable String name) {
    if (name != null) {
      text.append(what).append(name);
    }
  }
}
