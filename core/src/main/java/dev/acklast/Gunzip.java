package dev.acklast;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Decompresses gzip with a cap that stops a bomb while it expands, not after. */
final class Gunzip extends GZIPInputStream {
  private static final int CHUNK = 8192;
  private static final int TRAILER = 8;

  private Gunzip(byte[] body) throws IOException {
    // One fill takes all of the body, so that what follows the trailer is seen in the inflater.
    super(new ByteArrayInputStream(body), Math.max(CHUNK, body.length));
  }

  static byte[] expand(byte[] body, int maxBytes) throws InvalidMessageException {
    try (Gunzip input = new Gunzip(body)) {
      var output = new ByteArrayOutputStream(Math.min(maxBytes, 4 * body.length + CHUNK));
      byte[] chunk = new byte[CHUNK];
      for (int n = input.read(chunk); n >= 0; n = input.read(chunk)) {
        if (n > maxBytes - output.size()) {
          throw BodyReader.tooLarge("decompresses to more than", maxBytes);
        }
        output.write(chunk, 0, n);
      }
      if (input.inf.getRemaining() > TRAILER) {
        throw new InvalidMessageException("something follows the gzip data in the body");
      }
      return output.toByteArray();
    } catch (IOException e) {
      // EOFException for a truncated body, ZipException for anything else: the texts say no more.
      throw new InvalidMessageException(
          "content-encoding says gzip, but the body is no complete and correct gzip data");
    }
  }
}
