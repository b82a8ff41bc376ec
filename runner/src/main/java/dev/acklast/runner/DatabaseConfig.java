package dev.acklast.runner;

import org.jspecify.annotations.Nullable;

/** Where claims and effects live. */
record DatabaseConfig(
    String url,
    @Nullable String user,
    @Nullable String password,
    @Nullable String schema,
    boolean createTables,
    boolean acceptAsynchronousCommit,
    int poolSize) {

  /** Without credentials, and so without the URL, which may hold some. */
  @Override
  public String toString() {
    return "DatabaseConfig[pool-size=" + poolSize + "]";
  }
}
