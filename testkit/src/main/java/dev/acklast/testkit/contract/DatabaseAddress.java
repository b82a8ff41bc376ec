package dev.acklast.testkit.contract;

/**
 * Where a PostgreSQL database is.
 *
 * @param port 1 to 65535
 * @param user its owner
 * @param password of the owner; empty if none is needed
 */
public record DatabaseAddress(
    String host, int port, String database, String user, String password) {
  String url() {
    return urlVia(host, port);
  }

  /** The same database through another way in. */
  String urlVia(String otherHost, int otherPort) {
    return "jdbc:postgresql://"
        + otherHost
        + ":"
        + otherPort
        + "/"
        + database
        + "?connectTimeout=5&prepareThreshold=0";
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "PostgreSQL at " + host + ":" + port + ", database " + database;
  }
}
