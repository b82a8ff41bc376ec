package dev.acklast;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;

/**
 * Turns bytes into characters, or refuses: never a replacement character, which would merge keys.
 */
final class StrictText {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private StrictText() {}

  /** The characters, backed by an array, without a byte order mark. */
  static CharBuffer decode(byte[] bytes, Charset charset) throws InvalidMessageException {
    ByteBuffer input = ByteBuffer.wrap(bytes);
    try {
      CharBuffer text =
          charset
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(input);
      if (text.hasRemaining() && text.get(text.position()) == BYTE_ORDER_MARK) {
        text.get();
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new InvalidMessageException(
          "the body is not valid " + charset.name() + " at byte offset " + input.position());
    }
  }
}
