/** Real servers for tests and demos, and what picks the test cases of a run. */
@NullMarked
package dev.acklast.servers;

import org.jspecify.annotations.NullMarked;
