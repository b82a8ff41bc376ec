/**
 * What the author of a broker's adapter implements and calls: {@link dev.acklast.spi.Source},
 * {@link dev.acklast.spi.Subscription} and {@link dev.acklast.spi.Acker} on one side, {@link
 * dev.acklast.spi.Sink} on the other; and {@link dev.acklast.spi.Transactions} for those who bring
 * a transaction of their own. The comments here are the contract; the test kit's suite checks it.
 */
@NullMarked
package dev.acklast.spi;

import org.jspecify.annotations.NullMarked;
