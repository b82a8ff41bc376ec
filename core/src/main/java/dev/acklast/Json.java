package dev.acklast;

/** Decoders for JSON. */
public final class Json {
  private Json() {}
}
