package dev.acklast.servers;

import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.Driver;

/** Where a PostgreSQL server is and who enters. */
record PostgresEndpoint(String jdbcUrl, String user, String password) {
  private static final int DEFAULT_PORT = 5432;
  private static final Pattern URL =
      Pattern.compile(
          "(?<server>jdbc:postgresql://(?<host>\\[[^]]+]|[^\\[:/?@,]+)(:(?<port>\\d{1,5}))?"
              + "(,[^/?@]+)?/)[^/?]*(?<parameters>\\?.*)?");

  private static final Pattern CREDENTIALS = Pattern.compile("(?<=[?&])(user|password)=[^&]*&?");

  PostgresEndpoint {
    parse(jdbcUrl);
  }

  /** A URL that may name a user and a password, which count more than those given beside it. */
  static PostgresEndpoint of(String url, String user, String password) {
    parse(url);
    Properties named = Driver.parseURL(url, null);
    if (named == null) {
      throw unusable();
    }
    return new PostgresEndpoint(
        CREDENTIALS.matcher(url).replaceAll("").replaceFirst("[?&]$", ""),
        named.getProperty("user", user),
        named.getProperty("password", password));
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
      throw unusable();
    }
    return parts;
  }

  /** Without the URL: it may hold credentials. */
  private static IllegalArgumentException unusable() {
    return new IllegalArgumentException(
        "The database's URL must look like jdbc:postgresql://HOST:PORT/DATABASE");
  }

  /** Without credentials, and so without the URL, which may hold some. */
  @Override
  public String toString() {
    return "PostgreSQL at " + parse(jdbcUrl).group("host") + ":" + port();
  }
}
