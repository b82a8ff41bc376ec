package dev.acklast.it.contract;

import dev.acklast.it.PostgresHarness;
import dev.acklast.it.SqsHarness;
import dev.acklast.testkit.contract.AdapterContract;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DatabaseHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on FIFO queues of SQS. */
class SqsFifoContractTest extends AdapterContract {
  private static BrokerHarness broker;
  private static DatabaseHarness databases;

  @BeforeAll
  static void startServers() {
    broker = new SqsHarness(true);
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
