package dev.acklast.it.contract;

import dev.acklast.it.PostgresHarness;
import dev.acklast.it.SqsHarness;
import dev.acklast.testkit.contract.AdapterContract;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DatabaseHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on standard queues of SQS. */
class SqsStandardContractTest extends AdapterContract {
  private static BrokerHarness broker;
  private static DatabaseHarness databases;

  @BeforeAll
  static void startServers() {
    broker = new SqsHarness(false);
    databases = new PostgresHarness();
  }

  @AfterAll
  static void closeHarness() throws Exception {
    broker.close();
    databases.close();
  }

  @Override
  protected BrokerHarness broker() {
    return broker;
  }

  @Override
  protected DatabaseHarness databases() {
    return databases;
  }
}
