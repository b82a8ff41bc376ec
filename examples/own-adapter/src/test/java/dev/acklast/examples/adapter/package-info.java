/** The contract, bound to a broker from outside of the test kit. */
@NullMarked
package dev.acklast.examples.adapter;

import org.jspecify.annotations.NullMarked;
