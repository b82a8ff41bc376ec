package dev.acklast.examples.commissions;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.testkit.handler.HandlerTester;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** The example's handler, put through crashes, lost commits and copies, without its broker. */
class CommissionsOnceTest {
  private static DataSource shop() throws Exception {
    PostgresServer postgres = Servers.sharedPostgres();
    DataSource shop = postgres.dataSourceOf(postgres.createDatabase(Servers.uniqueName("shop")));
    String schema = Files.readString(Path.of("schema.sql"));
    Jdbi.create(shop).useHandle(handle -> handle.createScript(schema).execute());
    return shop;
  }

  @Test
  void paysOnceWhateverHappensOnTheWay() throws Exception {
    DataSource database = shop();
    HandlerTester.of(Commissions::consumer)
        .database(database)
        .message("{\"saleId\": \"S-1\", \"sellerId\": 17, \"amount\": 12.50}")
        .message("{\"saleId\": \"S-2\", \"sellerId\": 17, \"amount\": 80.00}")
        .reset("truncate commission", "update seller set balance = 0")
        .effect("select sale_id, seller_id, amount from commission")
        .effect("select id, balance from seller where balance <> 0")
        .verify();
  }
}
