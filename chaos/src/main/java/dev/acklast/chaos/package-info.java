/**
 * {@code bin/chaos}: consumers, a broker and a database are broken in every way there is, and then
 * an audit counts.
 *
 * <p>To read it: {@link Chaos} is the command, {@link Campaign} the phases, {@link Schedule} the
 * faults in time, {@link Audit} what must hold at the end.
 */
@NullMarked
package dev.acklast.chaos;

import org.jspecify.annotations.NullMarked;
