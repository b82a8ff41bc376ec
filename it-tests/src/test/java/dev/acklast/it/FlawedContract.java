package dev.acklast.it;

import dev.acklast.testkit.InMemoryOptions;
import dev.acklast.testkit.contract.AdapterContract;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DatabaseHarness;
import dev.acklast.testkit.contract.InMemoryHarness;
import dev.acklast.testkit.flaw.Flaw;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The contract on a broken adapter; run by {@link ContractBitesTest} only. */
class FlawedContract extends AdapterContract {
  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static @Nullable BrokerHarness broker;
  private static @Nullable DatabaseHarness databases;

  /** Sets what the next run is about. */
  static void breakIn(Flaw flaw) {
    broker = new InMemoryHarness(InMemoryOptions.standard(), flaw::in, PATIENCE);
    databases = databases == null ? new PostgresHarness() : databases;
  }

  @Override
  protected BrokerHarness broker() {
    return Objects.requireNonNull(broker);
  }

  @Override
  protected DatabaseHarness databases() {
    return Objects.requireNonNull(databases);
  }
}
