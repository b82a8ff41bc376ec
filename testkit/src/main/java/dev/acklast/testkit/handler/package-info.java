/**
 * A tester for handlers of one's own: {@link dev.acklast.testkit.handler.HandlerTester} runs a
 * consumer as its author builds it, on a broker in memory and a real PostgreSQL, delivers each
 * message several times, lets the consumer die between any two steps, loses the answers of commits,
 * and says where an effect is then missing or doubled.
 */
@NullMarked
package dev.acklast.testkit.handler;

import org.jspecify.annotations.NullMarked;
