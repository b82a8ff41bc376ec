/**
 * Real PostgreSQL and RabbitMQ servers for tests, demonstrations, benchmarks and chaos runs, and a
 * TCP proxy that breaks the connections to them.
 *
 * <p>Start at {@link dev.acklast.servers.Servers}.
 */
@NullMarked
package dev.acklast.servers;

import org.jspecify.annotations.NullMarked;
