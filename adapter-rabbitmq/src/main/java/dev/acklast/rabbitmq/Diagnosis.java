package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.acklast.spi.RefusedException;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Turns the client's exceptions into sentences that say what to do. */
final class Diagnosis {
  private static final List<Class<? extends Exception>> UNREACHABLE =
      List.of(
          ConnectException.class,
          NoRouteToHostException.class,
          SocketTimeoutException.class,
          TimeoutException.class);

  private Diagnosis() {}

  /**
   * Why a connection could not be made.
   *
   * @param where host and port
   */
  static String connecting(Throwable e, String where, String virtualHost) {
    String broker = "RabbitMQ at " + where;
    if (has(e, AuthenticationFailureException.class)
        || has(e, PossibleAuthenticationFailureException.class)) {
      return broker + " refused user name or password: correct them in the factory or URI";
    } else if (code(e) == AMQP.NOT_ALLOWED) {
      String access = " does not let us into virtual host '" + virtualHost + "'";
      return broker + access + ": create it, or grant the user permissions in it" + reason(e);
    } else if (has(e, UnknownHostException.class)) {
      return "the host of " + where + " is not known: check the name";
    } else if (has(e, SSLException.class)) {
      String check = ": check certificates, host name and whether that port speaks TLS";
      return "TLS with " + broker + " failed" + check;
    } else if (UNREACHABLE.stream().anyMatch(type -> has(e, type))) {
      return broker + " does not answer: check that it runs and can be reached from here";
    } else if (has(e, EOFException.class)) {
      String check = ": check whether that port speaks AMQP, with or without TLS";
      return broker + " closed the connection at once" + check;
    }
    return "no connection with " + broker + reason(e);
  }

  /** Why a connection ended. */
  static String connectionLost(ShutdownSignalException e, String where) {
    return "the connection with RabbitMQ at " + where + " was lost, and is made again" + reason(e);
  }

  /** Why a queue is not consumed. */
  static String consuming(Throwable e, String name) {
    String queue = "queue '" + name + "'";
    String finding =
        switch (code(e)) {
          case AMQP.NOT_FOUND -> queue + " is missing: create it, Acklast does not";
          case AMQP.ACCESS_REFUSED ->
              "RabbitMQ refuses to let us consume "
                  + queue
                  + ": grant the permission to read it; if it is in exclusive use by another"
                  + " consumer, this one waits for it";
          case AMQP.RESOURCE_LOCKED ->
              queue + " is exclusive to another connection: declare it without";
          case AMQP.PRECONDITION_FAILED ->
              "RabbitMQ closed the channel of "
                  + queue
                  + ", and it is opened again. If a delivery was unsettled for too long, raise"
                  + " consumer_timeout or shorten the handler timeout";
          default -> queue + " cannot be consumed for the moment";
        };
    return finding + reason(e);
  }

  /** The AMQP reply code that ended a channel or connection; 0 if there is none. */
  static int code(Throwable e) {
    Close close = close(e);
    return close == null ? 0 : close.code();
  }

  /** What the broker said, or what kind of exception it was. */
  static String text(Throwable e) {
    Close close = close(e);
    if (close != null) {
      return close.text();
    }
    Throwable root = causes(e).reduce(e, (outer, inner) -> inner);
    String message = root.getMessage();
    if (e instanceof RefusedException && message != null) {
      return message;
    }
    return root.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  /** As {@link #text}, in brackets, to be added to a sentence. */
  static String reason(Throwable e) {
    return " (" + text(e) + ")";
  }

  /** What the broker closed a channel or connection with. */
  private record Close(int code, String text) {}

  private static @Nullable Close close(Throwable e) {
    for (Throwable cause : causes(e).toList()) {
      Method reason = cause instanceof ShutdownSignalException signal ? signal.getReason() : null;
      if (reason instanceof AMQP.Channel.Close close) {
        return new Close(close.getReplyCode(), close.getReplyText());
      } else if (reason instanceof AMQP.Connection.Close close) {
        return new Close(close.getReplyCode(), close.getReplyText());
      }
    }
    return null;
  }

  private static boolean has(Throwable e, Class<? extends Throwable> type) {
    return causes(e).anyMatch(type::isInstance);
  }

  private static Stream<Throwable> causes(Throwable e) {
    return Stream.iterate(e, cause -> cause != null, Throwable::getCause);
  }
}
