package dev.acklast;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.spi.Envelope;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("F11")
class ContentTypeTest {
  private static final String BODY = "{\"orderId\":\"Ä1\"}";

  private static Envelope typed(byte[] body, String type) {
    return Received.with(body).contentType(type).build();
  }

  private static String refusal(Charset charset, String type) {
    return Received.refusal(() -> Json.tree().decode(typed(BODY.getBytes(charset), type)));
  }

  private static String orderId(Charset charset, String type) throws Exception {
    JsonNode tree = Json.tree().decode(typed(BODY.getBytes(charset), type));
    return tree.get("orderId").asText();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        " ",
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
        "application/json ; charset = utf8 ;",
        "application/json; profile=\"a;charset=latin1\"; charset=UTF-8",
        "application/vnd.x+json",
        "application/ld+json; profile=http://schema.org/",
        "application/cloudevents+json; charset=UTF-8",
        "text/json",
        "text/plain",
        "text/plain; charset=utf-8",
        "application/octet-stream"
      })
  void theseAreReadAsJsonInUtf8(String type) throws Exception {
    assertThat(orderId(UTF_8, type)).isEqualTo("Ä1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data; boundary=json",
        "application/xml",
        "application/jsonp",
        "application/json+xml",
        "text/html; note=application/json",
        "application/x-java-serialized-object",
        "application/avro"
      })
  void otherMediaTypesAreInvalid(String type) {
    assertThat(refusal(UTF_8, type)).contains("is not read as JSON");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "json",
        "application/json charset=utf-8",
        "application/json; charset=",
        "application/json; charset=\"utf-8",
        "application/json; charset=utf-8; charset=utf-16",
        "/",
        ";"
      })
  void whatIsNoContentTypeIsInvalid(String type) {
    assertThat(refusal(UTF_8, type)).contains("content type cannot be read");
  }

  @Test
  void contentTypesOfAnyLengthAreRefusedQuickly() {
    assertThat(refusal(UTF_8, "application/json; a=\"" + "\\\"".repeat(100_000)))
        .contains("content type cannot be read");
  }

  @Test
  void wideCharsetsAreHonoured() throws Exception {
    assertThat(orderId(UTF_16, "application/json; charset=utf-16")).isEqualTo("Ä1");
    assertThat(orderId(UTF_16BE, "application/json; charset=utf-16")).isEqualTo("Ä1");
    assertThat(orderId(UTF_16LE, "application/json; charset=utf-16le")).isEqualTo("Ä1");
    Charset utf32 = Charset.forName("UTF-32");
    assertThat(orderId(utf32, "application/json; charset=utf-32")).isEqualTo("Ä1");
    byte[] marked = ("\uFEFF" + BODY).getBytes(UTF_16LE);
    for (String charset : new String[] {"utf-16", "UTF-16LE"}) {
      JsonNode tree = Json.tree().decode(typed(marked, "text/plain; charset=" + charset));
      assertThat(tree.get("orderId").asText()).isEqualTo("Ä1");
    }
  }

  @Test
  void aBodyThatIsNotInItsStatedCharsetIsInvalidAndNotMisread() {
    assertThat(refusal(UTF_16, null)).contains("not valid UTF-8");
    assertThat(refusal(UTF_8, "application/json; charset=utf-16")).isNotEmpty();
    assertThat(refusal(ISO_8859_1, "application/json; charset=utf-8")).contains("not valid UTF-8");
    assertThat(refusal(UTF_16LE, "application/json; charset=utf-16")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"iso-8859-1", "windows-1252", "us-ascii"})
  void otherCharsetsAreInvalidForJson(String charset) {
    assertThat(refusal(ISO_8859_1, "application/json; charset=" + charset))
        .contains("UTF-8, UTF-16 and UTF-32 are");
  }

  @Test
  void unknownCharsetsAreInvalid() {
    assertThat(refusal(UTF_8, "application/json; charset=klingon")).contains("is not known");
  }

  @Test
  void textIsReadInItsStatedCharset() throws Exception {
    var latin = typed("Ä".getBytes(ISO_8859_1), "text/csv; charset=iso-8859-1");
    assertThat(Body.text().decode(latin)).isEqualTo("Ä");
    var ascii = typed("Ä".getBytes(ISO_8859_1), "text/csv; charset=us-ascii");
    assertThat(Received.refusal(() -> Body.text().decode(ascii))).contains("not valid US-ASCII");
  }

  @Test
  void aCharsetStatedAsContentEncodingCountsUnlessTheContentTypeContradicts() throws Exception {
    var envelope = Received.with(BODY.getBytes(UTF_16)).contentEncoding("UTF-16").build();
    assertThat(Json.tree().decode(envelope).get("orderId").asText()).isEqualTo("Ä1");
    var contrary =
        Received.with(BODY)
            .contentEncoding("UTF-16")
            .contentType("application/json; charset=utf-8")
            .build();
    assertThat(Received.refusal(() -> Json.tree().decode(contrary))).contains("different charsets");
  }
}
