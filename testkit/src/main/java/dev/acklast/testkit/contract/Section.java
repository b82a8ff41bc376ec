package dev.acklast.testkit.contract;

/** What the sections of the contract share. */
interface Section {
  /** What the running case plays on. */
  Scene scene();
}
