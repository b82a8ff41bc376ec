package dev.acklast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyEncodingTest {
  private static final byte[] PLAIN =
      "{\"orderId\":\"1\",\"note\":\"SECRET\"}".getBytes(StandardCharsets.UTF_8);

  private static Envelope encoded(byte[] body, String encoding) {
    return Received.with(body).contentEncoding(encoding).build();
  }

  private static String refusal(Envelope envelope) {
    return Received.refusal(() -> Json.tree().decode(envelope));
  }

  @ParameterizedTest
  @Tag("F07")
  @ValueSource(strings = {"gzip", "GZIP", " x-gzip "})
  void gzipIsDecompressedAndGivesTheSameKey(String encoding) throws Exception {
    var envelope = encoded(Received.gzip(PLAIN), encoding);
    assertThat(Json.tree().decode(envelope)).isEqualTo(Json.tree().decode(Received.bytes(PLAIN)));
    assertThat(Key.pointer("/orderId").read("", envelope)).isEqualTo("1");
    assertThat(Body.bytes().decode(envelope)).isEqualTo(PLAIN);
    assertThat(Body.text().decode(envelope)).isEqualTo(new String(PLAIN, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @Tag("F07")
  @ValueSource(strings = {"Content-Encoding", "content-encoding", "CONTENT-ENCODING"})
  void theEncodingMayStandInAHeaderInAnyCase(String header) throws Exception {
    byte[] body = Received.gzip(PLAIN);
    var text = Received.with(body).headers(Map.of(header, "gzip")).build();
    var bytes =
        Received.with(body).headers(Map.of(header, "gzip".getBytes(StandardCharsets.UTF_8)));
    assertThat(Body.bytes().decode(text)).isEqualTo(PLAIN);
    assertThat(Body.bytes().decode(bytes.build())).isEqualTo(PLAIN);
  }

  @Test
  @Tag("F07")
  void gzipWithoutTheEncodingAndPlainWithItAreInvalid() {
    assertThat(refusal(Received.bytes(Received.gzip(PLAIN)))).contains("not valid UTF-8");
    assertThat(refusal(encoded(PLAIN, "gzip"))).contains("no complete and correct gzip data");
  }

  @Test
  @Tag("F07")
  void truncatedCorruptAndPaddedGzipIsInvalid() {
    byte[] whole = Received.gzip(PLAIN);
    for (int length = 0; length < whole.length; length++) {
      refusal(encoded(Arrays.copyOf(whole, length), "gzip"));
    }
    byte[] corrupt = whole.clone();
    corrupt[whole.length - 6] ^= 1;
    refusal(encoded(corrupt, "gzip"));
    for (int padding : new int[] {1, 8, 17, 18, 19, 200, 20_000}) {
      var padded = encoded(Arrays.copyOf(whole, whole.length + padding), "gzip");
      assertThat(refusal(padded)).contains("follows the gzip data");
    }
  }

  @Test
  @Tag("F07")
  void gzipOfSeveralMembersIsOneBody() throws Exception {
    byte[] first = Received.gzip(Arrays.copyOf(PLAIN, 9));
    byte[] second = Received.gzip(Arrays.copyOfRange(PLAIN, 9, PLAIN.length));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(Body.bytes().decode(encoded(both, "gzip"))).isEqualTo(PLAIN);
  }

  @Test
  @Tag("F07")
  void aBombIsStoppedWhileItExpands() {
    byte[] megabyte = new byte[1 << 20];
    byte[] bomb =
        Received.gzip(
            output -> {
              for (int i = 0; i < 64; i++) {
                output.write(megabyte);
              }
            });
    // Its end is missing, which only a reader that goes on to the end would find.
    var envelope = encoded(Arrays.copyOf(bomb, bomb.length / 2), "gzip");
    assertThat(refusal(envelope))
        .isEqualTo("the body decompresses to more than the 10485760 that max-bytes allows");
  }

  @Test
  void theSizeLimitCountsDecompressedBytesExactly() throws Exception {
    byte[] gzip = Received.gzip(PLAIN);
    for (Envelope envelope : new Envelope[] {Received.bytes(PLAIN), encoded(gzip, "gzip")}) {
      int limit = Math.max(PLAIN.length, envelope.body().length);
      assertThat(Body.bytes().maxBytes(limit).decode(envelope)).isEqualTo(PLAIN);
      Received.refusal(() -> Body.bytes().maxBytes(PLAIN.length - 1).decode(envelope));
      Received.refusal(() -> Json.tree().maxBytes(PLAIN.length - 1).decode(envelope));
      Received.refusal(() -> Body.text().maxBytes(PLAIN.length - 1).decode(envelope));
      var key = Key.pointer("/orderId");
      assertThat(key.read("", envelope)).isEqualTo("1");
      var limited = key.alongside(Json.as(Object.class).maxBytes(PLAIN.length - 1));
      Received.refusal(() -> limited.read("", envelope));
    }
  }

  @Test
  void whatWasCompressedComesBack() throws Exception {
    var random = new Random(20261130);
    for (int round = 0; round < 300; round++) {
      byte[] body = new byte[random.nextInt(70_000)];
      if (round % 2 == 0) {
        random.nextBytes(body);
      }
      assertThat(Body.bytes().decode(encoded(Received.gzip(body), "gzip"))).isEqualTo(body);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deflate", "br", "zstd", "gzip, gzip", "SECRET"})
  void otherEncodingsAreInvalid(String encoding) {
    assertThat(refusal(encoded(PLAIN, encoding))).contains("content encoding is not known");
    Received.refusal(() -> Body.bytes().decode(encoded(PLAIN, encoding)));
    Received.refusal(() -> Body.text().decode(encoded(PLAIN, encoding)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "Identity", "utf-8", "UTF-8", "utf8"})
  void identityAndTheCharsetThatAmqpProducersStateLeaveTheBody(String encoding) throws Exception {
    assertThat(Json.tree().decode(encoded(PLAIN, encoding)).get("orderId").asText()).isEqualTo("1");
    assertThat(Body.bytes().decode(encoded(PLAIN, encoding))).isEqualTo(PLAIN);
  }

  @Test
  void anEmptyBodyIsEmptyBytesAndText() throws Exception {
    assertThat(Body.bytes().decode(Received.text(""))).isEmpty();
    assertThat(Body.text().decode(Received.text(""))).isEmpty();
  }
}
