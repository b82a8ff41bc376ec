package dev.acklast.it.contract;

import dev.acklast.it.KafkaHarness;
import dev.acklast.it.PostgresHarness;
import dev.acklast.testkit.contract.AdapterContract;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DatabaseHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a Kafka topic that a consumer group reads. */
class KafkaGroupContractTest extends AdapterContract {
  private static BrokerHarness broker;
  private static DatabaseHarness databases;

  @BeforeAll
  static void startServers() {
    broker = KafkaHarness.consumerGroup();
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
