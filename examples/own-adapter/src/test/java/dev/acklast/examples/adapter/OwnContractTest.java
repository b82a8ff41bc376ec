package dev.acklast.examples.adapter;

import dev.acklast.testkit.contract.AdapterContract;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DatabaseHarness;

/** The contract, on an adapter of one's own. */
class OwnContractTest extends AdapterContract {
  private static final BrokerHarness BROKER = new OwnHarness();
  private static final DatabaseHarness DATABASES = new OwnDatabases();

  @Override
  protected BrokerHarness broker() {
    return BROKER;
  }

  @Override
  protected DatabaseHarness databases() {
    return DATABASES;
  }
}
