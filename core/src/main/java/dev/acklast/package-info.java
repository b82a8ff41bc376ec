/** What users of Acklast import: start at {@link dev.acklast.IdempotentConsumer}. */
@NullMarked
package dev.acklast;

import org.jspecify.annotations.NullMarked;
