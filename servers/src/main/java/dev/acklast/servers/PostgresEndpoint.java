package dev.acklast.servers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a PostgreSQL server is and who enters. */
record PostgresEndpoint(String jdbcUrl, String user, String password) {
  private static final int DEFAULT_PORT = 5432;
  private static final Pattern URL =
      Pattern.compile(
          "(?<server>jdbc:postgresql://(?<host>\\[[^]]+]|[^\\[:/?@,]+)(:(?<port>\\d{1,5}))?"
              + "(,[^/?@]+)?/)[^/?]*(?<parameters>\\?.*)?");

  PostgresEndpoint {
    parse(jdbcUrl);
  }

  /** The first host's port. */
  int port() {
    String port = parse(jdbcUrl).group("port");
    return port == null ? DEFAULT_PORT : Integer.parseInt(port);
  }

  /** The same server and parameters, another database. */
  String urlOf(String database) {
    Matcher parts = parse(jdbcUrl);
    String parameters = parts.group("parameters");
    return parts.group("server") + database + (parameters == null ? "" : parameters);
  }

  private static Matcher parse(String url) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      // Without the URL: it may hold credentials.
      throw new IllegalArgumentException(
          "The database's URL must look like jdbc:postgresql://HOST:PORT/DATABASE");
    }
    return parts;
  }

  /** Without credentials, and so without the URL, which may hold some. */
  @Override
  public String toString() {
    return "PostgreSQL at " + parse(jdbcUrl).group("host") + ":" + port();
  }
}
