/**
 * {@code bin/demo}: a month of sales through killed consumers and a restarted broker, applied by
 * Acklast and, beside it, by the consumer that is usually written.
 */
@NullMarked
package dev.acklast.demo;

import org.jspecify.annotations.NullMarked;
