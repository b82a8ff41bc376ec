/**
 * An example, tested: claims and effects in the transactions of Spring and JPA. {@link
 * dev.acklast.spring.SpringTransactions} is there to be copied.
 */
@NullMarked
package dev.acklast.spring;

import org.jspecify.annotations.NullMarked;
