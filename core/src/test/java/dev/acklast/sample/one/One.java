package dev.acklast.sample.one;

import dev.acklast.sample.two.Two;

/** Half of a cycle. */
public class One {
  Two two = new Two();
}
