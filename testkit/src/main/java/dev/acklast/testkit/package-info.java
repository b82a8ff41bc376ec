/**
 * A broker in memory, and its adapter: for tests of core, and as the example that authors of other
 * adapters read. Start at {@link dev.acklast.testkit.InMemoryBroker}; the adapter is {@code
 * InMemorySource}, {@code InMemorySubscription} and {@code InMemoryAcker}, in the order that core
 * meets them; behind them stands {@code QueueServer}, which takes the broker's part.
 */
@NullMarked
package dev.acklast.testkit;

import org.jspecify.annotations.NullMarked;
