/** The {@code acklast} command: consumers described in a YAML file, with effects in SQL. */
@NullMarked
package dev.acklast.runner;

import org.jspecify.annotations.NullMarked;
