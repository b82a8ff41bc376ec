package dev.acklast.servers;

import java.util.Properties;
import org.postgresql.Driver;

/** Where a PostgreSQL server is and who enters. */
record PostgresEndpoint(String jdbcUrl, String user, String password) {

  PostgresEndpoint {
    properties(jdbcUrl);
  }

  /** The first host's port. */
  int port() {
    return Integer.parseInt(properties(jdbcUrl).getProperty("PGPORT").split(",")[0]);
  }

  /** The same server and parameters, another database. */
  String urlOf(String database) {
    int query = jdbcUrl.indexOf('?');
    String path = query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
    String parameters = query < 0 ? "" : jdbcUrl.substring(query);
    return path.substring(0, path.lastIndexOf('/') + 1) + database + parameters;
  }

  private static Properties properties(String url) {
    boolean plausible = url.matches("jdbc:postgresql://[^?/@]+/[^?/]*(\\?.*)?");
    Properties properties = plausible ? Driver.parseURL(url, null) : null;
    if (properties == null) {
      throw new IllegalArgumentException(
          "The database's URL must look like jdbc:postgresql://HOST:PORT/DATABASE");
    }
    return properties;
  }

  /** Without credentials, and so without the URL, which may hold some. */
  @Override
  public String toString() {
    return "PostgreSQL at " + properties(jdbcUrl).getProperty("PGHOST") + ":" + port();
  }
}
