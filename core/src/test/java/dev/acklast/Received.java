package dev.acklast;

import dev.acklast.spi.Envelope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Envelopes as an adapter would hand them over. */
final class Received {
  private Received() {}

  static Envelope text(String body) {
    return bytes(body.getBytes(StandardCharsets.UTF_8));
  }

  static Envelope bytes(byte[] body) {
    return with(body).build();
  }

  static Envelope.Builder with(byte[] body) {
    return Envelope.of("sales", body).position("7");
  }

  static Envelope.Builder with(String body) {
    return with(body.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] gzip(byte[] plain) {
    return gzip(output -> output.write(plain));
  }

  static byte[] gzip(Writing writing) {
    var bytes = new ByteArrayOutputStream();
    try (var output = new GZIPOutputStream(bytes)) {
      writing.write(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The text of the refusal, which must name no payload. */
  static String refusal(ThrowingCallable reading) {
    Throwable thrown = Assertions.catchThrowable(reading);
    Assertions.assertThat(thrown).isExactlyInstanceOf(InvalidMessageException.class);
    Assertions.assertThat(thrown.getMessage()).doesNotContain("SECRET");
    Assertions.assertThat(thrown.getCause()).isNull();
    return thrown.getMessage();
  }

  interface Writing {
    void write(OutputStream output) throws IOException;
  }
}
