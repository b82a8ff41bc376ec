/**
 * Adapters that are broken on purpose, each in one way. They prove that the contract's cases can
 * fail: a case that no flaw fails proves nothing.
 */
@NullMarked
package dev.acklast.testkit.flaw;

import org.jspecify.annotations.NullMarked;
