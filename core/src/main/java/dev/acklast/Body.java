package dev.acklast;

/** Decoders that leave the body as bytes or text. */
public final class Body {
  private Body() {}
}
