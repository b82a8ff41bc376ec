package dev.acklast.chaos;

import dev.acklast.store.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;

/** The tables of a run: Acklast's own, the effects and the accounts. */
final class Tables {
  /** The scope of all claims. */
  static final String SCOPE = "chaos";

  /** What the keys of claims begin with that are only there to be purged. */
  static final String BYGONE = "bygone-";

  private Tables() {}

  /** Creates them in an empty database. */
  static void create(DataSource database) {
    Jdbi.create(database)
        .useTransaction(
            handle -> {
              handle.createScript(Schema.ddl(null)).execute();
              handle.createScript(resource("tables.sql")).execute();
              handle.execute(
                  "insert into account select n, ? from generate_series(0, ?) as n",
                  Workload.OPENING_BALANCE,
                  Workload.ACCOUNTS - 1);
            });
  }

  private static String resource(String name) {
    try (InputStream input = Tables.class.getResourceAsStream(name)) {
      byte[] bytes = Objects.requireNonNull(input, name).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
