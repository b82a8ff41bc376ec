/** One payment per sale: the example of the documentation and of {@code bin/demo}. */
@NullMarked
package dev.acklast.examples.commissions;

import org.jspecify.annotations.NullMarked;
