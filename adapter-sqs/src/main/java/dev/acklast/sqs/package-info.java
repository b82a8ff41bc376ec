/**
 * Amazon SQS as a source of an Acklast consumer. What this adapter creates on the broker and what
 * it leaves alone is written down in {@code docs/adapters/sqs.md}.
 */
@NullMarked
package dev.acklast.sqs;

import org.jspecify.annotations.NullMarked;
