package dev.acklast.servers;

/** What {@link TcpProxy} does when it sees the request that it was told to wait for. */
public enum RequestFault {
  /** Resets the connection; the server never sees the request. */
  CUT_BEFORE,
  /**
   * Forwards the request, waits until the server answers, which proves that it was executed, and
   * resets the connection instead of passing the answer on.
   */
  CUT_BEFORE_ANSWER
}
