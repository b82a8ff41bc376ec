/**
 * Micrometer metrics of consumers; needs {@code io.micrometer:micrometer-core} on the class path.
 */
@NullMarked
package dev.acklast.metrics;

import org.jspecify.annotations.NullMarked;
