package dev.acklast.spi;

/** What the adapter knows of a delivery's past. It decides how carefully core starts it. */
public enum RedeliveryHint {
  /**
   * The broker has surely not delivered this message before. Core writes nothing before its run.
   */
  FIRST,

  /**
   * It comes back because core asked for a retry, and has surely not been delivered since then. The
   * adapter marks such messages itself.
   */
  RETRIED,

  /**
   * The broker may have delivered it before, and nobody can tell what became of that: a process may
   * have died in the middle of its run. When in doubt, an adapter says this.
   */
  SUSPECT
}
