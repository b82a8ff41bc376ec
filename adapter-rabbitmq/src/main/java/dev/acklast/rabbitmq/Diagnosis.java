package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Turns the client's exceptions into sentences that say what to do. */
final class Diagnosis {
  private static final int VIRTUAL_HOST_REFUSED = AMQP.NOT_ALLOWED;

  private Diagnosis() {}

  /**
   * Why a connection could not be made.
   *
   * @param where host and port
   */
  static String connecting(Throwable e, String where, String virtualHost) {
    if (has(e, AuthenticationFailureException.class)
        || has(e, PossibleAuthenticationFailureException.class)) {
      return "RabbitMQ at "
          + where
          + " refused user name or password: correct them in the"
          + " ConnectionFactory or URI";
    }
    if (code(e) == VIRTUAL_HOST_REFUSED) {
      return "RabbitMQ at "
          + where
          + " does not let us into virtual host '"
          + virtualHost
          + "': create it, or grant the user permissions there ("
          + text(e)
          + ")";
    }
    if (has(e, UnknownHostException.class)) {
      return "the host of " + where + " is not known: check the name";
    }
    if (has(e, SSLException.class)) {
      return "TLS with RabbitMQ at "
          + where
          + " failed: check certificates, host name and whether"
          + " that port speaks TLS";
    }
    if (has(e, ConnectException.class)
        || has(e, NoRouteToHostException.class)
        || has(e, SocketTimeoutException.class)
        || has(e, TimeoutException.class)) {
      return "RabbitMQ at "
          + where
          + " does not answer: check that it runs and can be reached from"
          + " here";
    }
    if (has(e, EOFException.class)) {
      return "RabbitMQ at "
          + where
          + " closed the connection at once: check whether that port"
          + " speaks AMQP, with or without TLS";
    }
    return "no connection with RabbitMQ at " + where + ": " + text(e);
  }

  /** Why a connection ended. */
  static String connectionLost(ShutdownSignalException e, String where) {
    return "the connection with RabbitMQ at "
        + where
        + " was lost, and is made again ("
        + text(e)
        + ")";
  }

  /** Why a queue is not consumed. */
  static String consuming(Throwable e, String queue) {
    String why = " (" + text(e) + ")";
    return switch (code(e)) {
      case AMQP.NOT_FOUND -> "queue '" + queue + "' is missing: create it, Acklast does not" + why;
      case AMQP.ACCESS_REFUSED ->
          "RabbitMQ refuses to let us consume queue '"
              + queue
              + "': grant the permission to read"
              + " it; if it is in exclusive use by another consumer, this one waits for it"
              + why;
      case AMQP.RESOURCE_LOCKED ->
          "queue '" + queue + "' is exclusive to another connection: declare it without" + why;
      case AMQP.PRECONDITION_FAILED ->
          "RabbitMQ closed the channel of queue '"
              + queue
              + "', and it is opened again. If a"
              + " delivery was unsettled for too long, raise consumer_timeout or shorten the handler"
              + " timeout"
              + why;
      default -> "queue '" + queue + "' cannot be consumed for the moment" + why;
    };
  }

  /** The AMQP reply code that ended a channel or connection; 0 if there is none. */
  static int code(Throwable e) {
    Method reason = reason(e);
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyCode();
    }
    return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
  }

  /** What the broker said, or what kind of exception it was. */
  static String text(Throwable e) {
    if (e instanceof TopologyException) {
      return String.valueOf(e.getMessage());
    }
    Method reason = reason(e);
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyText();
    }
    if (reason instanceof AMQP.Connection.Close close) {
      return close.getReplyText();
    }
    Throwable last = e;
    while (last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    String message = last.getMessage();
    return last.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private static @Nullable Method reason(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ShutdownSignalException signal && signal.getReason() != null) {
        return signal.getReason();
      }
    }
    return null;
  }

  private static boolean has(Throwable e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }
}
