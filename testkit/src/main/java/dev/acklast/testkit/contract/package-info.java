/**
 * What every adapter must pass, as a JUnit suite. The author of an adapter writes a {@link
 * dev.acklast.testkit.contract.BrokerHarness} and binds it in a subclass of {@link
 * dev.acklast.testkit.contract.AdapterContract}. The cases run whole consumers over the adapter and
 * a real PostgreSQL. A case that a broker cannot have is skipped, with the reason that the harness
 * gives.
 */
@NullMarked
package dev.acklast.testkit.contract;

import org.jspecify.annotations.NullMarked;
