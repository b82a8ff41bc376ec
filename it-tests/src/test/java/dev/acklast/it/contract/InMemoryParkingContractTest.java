package dev.acklast.it.contract;

import dev.acklast.it.PostgresHarness;
import dev.acklast.testkit.InMemoryOptions;
import dev.acklast.testkit.contract.AdapterContract;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DatabaseHarness;
import dev.acklast.testkit.contract.InMemoryHarness;
import org.junit.jupiter.api.AfterAll;

/** The contract on the broker in memory, where it cannot delay retries so that core parks them. */
class InMemoryParkingContractTest extends AdapterContract {
  private static final BrokerHarness BROKER =
      new InMemoryHarness(InMemoryOptions.standard().withoutNativeRetry());
  private static final DatabaseHarness DATABASES = new PostgresHarness();

  @AfterAll
  static void closeHarness() throws Exception {
    DATABASES.close();
  }

  @Override
  protected BrokerHarness broker() {
    return BROKER;
  }

  @Override
  protected DatabaseHarness databases() {
    return DATABASES;
  }
}
