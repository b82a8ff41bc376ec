package dev.acklast.sample.two;

import dev.acklast.sample.one.One;

/** Half of a cycle. */
public class Two {
  One one = new One();
}
