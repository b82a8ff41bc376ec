package dev.acklast;

/**
 * What a body may grow to while it is read.
 *
 * @param maxBytes most bytes of the body once decompressed
 * @param maxDepth most levels of nesting in JSON
 */
record ReadLimits(int maxBytes, int maxDepth) {
  static final ReadLimits STANDARD = new ReadLimits(10 << 20, 1000);

  private static final int LARGEST_BODY = 1 << 29;
  private static final int DEEPEST = 10_000;

  ReadLimits {
    Rules.range("max-bytes", maxBytes, 1, LARGEST_BODY);
    Rules.range("max-depth", maxDepth, 1, DEEPEST);
  }

  ReadLimits withMaxBytes(int bytes) {
    return new ReadLimits(bytes, maxDepth);
  }

  ReadLimits withMaxDepth(int depth) {
    return new ReadLimits(maxBytes, depth);
  }
}
