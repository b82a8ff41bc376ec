package dev.acklast.it.contract;

import dev.acklast.it.PostgresHarness;
import dev.acklast.it.RabbitHarness;
import dev.acklast.testkit.contract.AdapterContract;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DatabaseHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on quorum queues of RabbitMQ. */
@Tag("broker")
class RabbitQuorumContractTest extends AdapterContract {
  private static BrokerHarness broker;
  private static DatabaseHarness databases;

  @BeforeAll
  static void startServers() {
    broker = new RabbitHarness("quorum");
    databases = new PostgresHarness();
  }

  @AfterAll
  static void closeHarness() throws Exception {
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
