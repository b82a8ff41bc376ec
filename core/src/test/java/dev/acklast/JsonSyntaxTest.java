package dev.acklast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSyntaxTest {
  record Order(String orderId, int n) {}

  record Sparse(String orderId) {}

  static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  @Test
  @Tag("F01")
  void nestingUpToTheLimitPassesAndOneLevelMoreIsInvalid() throws Exception {
    assertThat(Json.tree().decode(Received.text(nested(999)))).hasSize(1);
    assertThat(Json.tree().decode(Received.text(nested(1000)))).hasSize(1);
    assertThat(Received.refusal(() -> Json.tree().decode(Received.text(nested(1001)))))
        .contains("nested deeper than the 1000 levels of max-depth");
    assertThat(Received.refusal(() -> Json.tree().decode(Received.text(nested(100_000)))))
        .contains("nested deeper");
    assertThat(Json.tree().maxDepth(3).decode(Received.text("[[[]]]"))).hasSize(1);
    assertThat(Received.refusal(() -> Json.tree().maxDepth(3).decode(Received.text("[[[[]]]]"))))
        .contains("3 levels");
  }

  @Test
  @Tag("F01")
  void nestingCountsInFieldsThatNobodyReads() throws Exception {
    String body = "{\"orderId\":\"1\",\"extra\":%s}";
    var decoder = Json.as(Sparse.class);
    assertThat(decoder.decode(Received.text(body.formatted(nested(999))))).isNotNull();
    for (int depth : List.of(1000, 100_000)) {
      var envelope = Received.text(body.formatted(nested(depth)));
      assertThat(Received.refusal(() -> decoder.decode(envelope))).contains("nested deeper");
    }
  }

  private static String chain(int depth) {
    return "{\"inner\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
  }

  @Test
  @Tag("F01")
  void aTypeThatContainsItselfIsBoundAsFarAsTheStackGoesAndInvalidBeyond() throws Exception {
    assertThat(Json.as(Chain.class).decode(Received.text(chain(100)))).isNotNull();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Runnable binding =
        () ->
            thrown.set(
                catchThrowable(
                    () ->
                        Json.as(Chain.class)
                            .maxDepth(10_000)
                            .decode(Received.text(chain(10_000)))));
    Thread thread = new Thread(null, binding, "small stack", 256 << 10);
    thread.start();
    thread.join();
    assertThat(thrown.get())
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("the body is nested deeper than the stack lets bind to");
  }

  record Chain(Chain inner) {}

  @Test
  @Tag("F02")
  void unquotedFieldNamesAreInvalidWithThePlaceInTheText() {
    assertThat(Received.refusal(() -> Json.tree().decode(Received.text("{ref: \"SECRET-4711\"}"))))
        .isEqualTo("the body is not valid JSON, at line 1, column 3");
  }

  @ParameterizedTest
  @Tag("F08")
  @ValueSource(strings = {"", " \r\n\t ", "null", " null ", "\"\"", "[]", "\uFEFF"})
  void bodiesWithoutAPayloadAreInvalid(String body) {
    Received.refusal(() -> Json.as(Order.class).decode(Received.text(body)));
    Received.refusal(() -> Key.pointer("/orderId").read("", Received.text(body)));
  }

  @Test
  @Tag("F08")
  void emptyAndNullBodiesSaySo() {
    assertThat(Received.refusal(() -> Json.tree().decode(Received.text(" "))))
        .isEqualTo("the body is empty");
    assertThat(Received.refusal(() -> Json.tree().decode(Received.text("null"))))
        .isEqualTo("the body is null, which stands for no payload");
  }

  @ParameterizedTest
  @Tag("F10")
  @ValueSource(
      strings = {
        "{\"orderId\":\"1\",\"orderId\":\"2\"}",
        "{\"orderId\":\"1\",\"order\\u0049d\":\"2\"}",
        "{\"orderId\":\"1\",\"extra\":{\"a\":1,\"a\":1}}"
      })
  void aFieldThatOccursTwiceIsInvalidForTreesTypesAndKeysAlike(String body) {
    var envelope = Received.text(body);
    assertThat(Received.refusal(() -> Json.tree().decode(envelope)))
        .contains("a field occurs twice");
    assertThat(Received.refusal(() -> Json.as(Sparse.class).decode(envelope)))
        .contains("a field occurs twice");
    assertThat(Received.refusal(() -> Key.pointer("/orderId").read("", envelope)))
        .contains("a field occurs twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} {}", "{}]", "{}x", "1 2", "{}\u0000"})
  void whatFollowsTheValueIsInvalid(String body) {
    Received.refusal(() -> Json.tree().decode(Received.text(body)));
    Received.refusal(() -> Json.as(Object.class).decode(Received.text(body)));
  }

  @Test
  @Tag("F09")
  void treesKeepTheDigitsOfEveryNumber() throws Exception {
    String body =
        "[9007199254740993,9007199254740993.0,100.00,123456789012345678901234567890,0.10]";
    JsonNode tree = Json.tree().decode(Received.text(body));
    assertThat(tree.toString()).isEqualTo(body);
    assertThat(tree.get(2).decimalValue()).isEqualTo(new BigDecimal("100.00"));
    Map<?, ?> map = Json.as(Map.class).decode(Received.text("{\"amount\":100.10}"));
    assertThat(map.get("amount")).isEqualTo(new BigDecimal("100.10"));
  }

  @Test
  @Tag("F09")
  void numbersLongerThanTheParserAllowsAreInvalid() {
    String digits = "4".repeat(1001);
    assertThat(Received.refusal(() -> Json.tree().decode(Received.text(digits))))
        .contains("longer than the parser allows")
        .doesNotContain("444");
  }

  @Test
  @Tag("F03")
  void aByteOrderMarkChangesNothing() throws Exception {
    byte[] plain = "{\"orderId\":\"1\"}".getBytes(StandardCharsets.UTF_8);
    byte[] marked = "\uFEFF{\"orderId\":\"1\"}".getBytes(StandardCharsets.UTF_8);
    assertThat(marked).startsWith(0xEF, 0xBB, 0xBF);
    assertThat(Json.tree().decode(Received.bytes(marked)))
        .isEqualTo(Json.tree().decode(Received.bytes(plain)));
    assertThat(Key.pointer("/orderId").read("", Received.bytes(marked))).isEqualTo("1");
    assertThat(Body.text().decode(Received.bytes(marked)))
        .isEqualTo(Body.text().decode(Received.bytes(plain)));
  }

  @ParameterizedTest
  @Tag("F04")
  @ValueSource(ints = {0xE4, 0xE5, 0xFF, 0x80})
  void bytesThatAreNotUtf8AreInvalidAndNeverReplaced(int odd) {
    byte[] body = "{\"orderId\":\"L?1\"}".getBytes(StandardCharsets.US_ASCII);
    body[13] = (byte) odd;
    var envelope = Received.bytes(body);
    assertThat(Received.refusal(() -> Json.tree().decode(envelope)))
        .isEqualTo("the body is not valid UTF-8 at byte offset 13");
    Received.refusal(() -> Json.as(Sparse.class).decode(envelope));
    Received.refusal(() -> Body.text().decode(envelope));
    Received.refusal(() -> Key.pointer("/orderId").read("", envelope));
  }

  @Test
  @Tag("F04")
  void overlongAndSurrogateUtf8SequencesAreInvalid() {
    byte[] overlong = {'"', (byte) 0xC0, (byte) 0x80, '"'};
    byte[] surrogate = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
    Received.refusal(() -> Json.tree().decode(Received.bytes(overlong)));
    Received.refusal(() -> Json.tree().decode(Received.bytes(surrogate)));
  }
}
