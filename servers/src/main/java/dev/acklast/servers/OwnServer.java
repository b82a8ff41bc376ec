package dev.acklast.servers;

import java.util.List;

/** A server that the user runs: used, and otherwise left alone. */
final class OwnServer implements BrokerEngine {
  private final String description;
  private final String variable;

  /**
   * @param description what it is, without credentials
   * @param variable the environment variable that chose it
   */
  OwnServer(String description, String variable) {
    this.description = description;
    this.variable = variable;
  }

  @Override
  public void start() {
    // It runs already, or the first connection will say so.
  }

  @Override
  public void stop() {
    throw unsupported("stopped");
  }

  @Override
  public void kill() {
    throw unsupported("killed");
  }

  @Override
  public void freeze() {
    throw unsupported("frozen");
  }

  @Override
  public void thaw() {
    throw unsupported("thawed");
  }

  @Override
  public String rabbitmqctl(List<String> arguments) {
    throw unsupported("administered with rabbitmqctl");
  }

  @Override
  public boolean canRestart() {
    return false;
  }

  @Override
  public boolean isRunning() {
    return true;
  }

  @Override
  public String logTail() {
    return "";
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public void close() {
    // The user's, not ours to end.
  }

  private UnsupportedOperationException unsupported(String verb) {
    return new UnsupportedOperationException(
        "The server named by "
            + variable
            + " is yours and cannot be "
            + verb
            + " from here; unset "
            + variable
            + " to run with a private server");
  }
}
