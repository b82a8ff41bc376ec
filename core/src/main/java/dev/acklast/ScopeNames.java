package dev.acklast;

/** Scopes that Acklast keeps for itself in the ledger. */
final class ScopeNames {
  /** Marks of suspects that have not been decoded stand under this and the consumer's scope. */
  static final String UNDECODED = "undecoded:";

  private ScopeNames() {}
}
