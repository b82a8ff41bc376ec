package dev.acklast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {
  enum Region {
    NORTH {
      @Override
      public String toString() {
        return "the north";
      }
    }
  }

  record Order(String orderId) {}

  private static String read(Object value) throws InvalidMessageException {
    return Key.from(payload -> value).read("", Received.text("{}"));
  }

  private static String pointed(String orderId) throws InvalidMessageException {
    var envelope = Received.text("{\"orderId\":" + orderId + "}");
    String fromBody = Key.pointer("/orderId").read(new Order("other"), envelope);
    JsonNode tree = Json.tree().decode(envelope);
    assertThat(Key.pointer("/orderId").read(tree, Received.text("[]"))).isEqualTo(fromBody);
    return fromBody;
  }

  private static String refusalOf(String orderId) {
    return Received.refusal(() -> pointed(orderId));
  }

  @Test
  void functionsMayReturnTextsNumbersIdsAndConstants() throws Exception {
    UUID id = UUID.fromString("8c5f6f0a-7d7c-4a3a-9d3c-0d3ed8c7a1b2");
    assertThat(read("Ord-1")).isEqualTo("Ord-1");
    assertThat(read(id)).isEqualTo("8c5f6f0a-7d7c-4a3a-9d3c-0d3ed8c7a1b2");
    assertThat(read(-7)).isEqualTo("-7");
    assertThat(read(9007199254740993L)).isEqualTo("9007199254740993");
    assertThat(read((short) 3)).isEqualTo("3");
    assertThat(read((byte) 4)).isEqualTo("4");
    assertThat(read(BigInteger.TEN.pow(23))).isEqualTo("1" + "0".repeat(23));
    assertThat(read(Region.NORTH)).isEqualTo("NORTH");
    assertThat(read(Json.tree().decode(Received.text("17")))).isEqualTo("17");
  }

  @Test
  void functionsThatReturnAnythingElseOrThrowMakeTheMessageInvalid() {
    assertThat(Received.refusal(() -> read(1.0))).contains("a java.lang.Double");
    assertThat(Received.refusal(() -> read(List.of("SECRET")))).contains("it must return a text");
    assertThat(Received.refusal(() -> read(null))).contains("returned null");
    Key<String> throwing =
        Key.from(
            payload -> {
              throw new IllegalStateException("SECRET-4711");
            });
    assertThat(Received.refusal(() -> throwing.read("", Received.text(""))))
        .isEqualTo("the key function threw java.lang.IllegalStateException");
  }

  @ParameterizedTest
  @Tag("F09")
  @CsvSource({
    "9007199254740993, 9007199254740993",
    "9007199254740992, 9007199254740992",
    "'\"9007199254740993\"', 9007199254740993",
    "1000, 1000",
    "'\"1000\"', 1000",
    "-5, -5",
    "12345678901234567890123, 12345678901234567890123",
    "'\"1e3\"', 1e3"
  })
  void pointersReadTextsAsTheyAreAndIntegersInPlainDigits(String json, String key)
      throws Exception {
    assertThat(pointed(json)).isEqualTo(key);
  }

  @ParameterizedTest
  @Tag("F09")
  @ValueSource(
      strings = {
        "9007199254740993.0",
        "1e3",
        "100.00",
        "1E1000000000",
        "true",
        "null",
        "{}",
        "[1]"
      })
  void pointersRefuseWhatHasNoSinglePlainText(String json) {
    assertThat(refusalOf(json)).startsWith("the key field /orderId is");
  }

  @Test
  @Tag("F09")
  void pointersSayWhenAFieldIsMissingAndReachIntoObjectsAndArrays() throws Exception {
    var envelope = Received.text("{\"a/b\":{\"c~d\":[0,{\"id\":5}]}}");
    assertThat(Key.pointer("/a~1b/c~0d/1/id").read("", envelope)).isEqualTo("5");
    assertThat(Received.refusal(() -> Key.pointer("/orderId").read("", envelope)))
        .isEqualTo("the key field /orderId is missing; a text or an integer is needed");
    assertThat(refusalOf("4".repeat(1001))).contains("longer than the parser allows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "orderId", "#/orderId", "$.orderId", "/a~b", "/a~2", "~0/a"})
  void whatIsNoPointerIsRefusedWithAnExample(String pointer) {
    assertThatThrownBy(() -> Key.pointer(pointer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + pointer + "' is no JSON pointer")
        .hasMessageContaining("/orderId, /order/id");
  }

  @Test
  void headersRecordKeysAndMessageIdsAreReadFromTheEnvelope() throws Exception {
    Map<String, @Nullable Object> headers = new HashMap<>();
    headers.put("order", "Ord-1");
    headers.put("number", 42L);
    headers.put("flag", true);
    headers.put("none", null);
    var envelope = Received.with("{}").headers(headers).recordKey("rk").messageId("m-1").build();
    assertThat(Key.header("order").read("", envelope)).isEqualTo("Ord-1");
    assertThat(Key.header("number").read("", envelope)).isEqualTo("42");
    assertThat(Key.recordKey().read("", envelope)).isEqualTo("rk");
    assertThat(Key.messageId().read("", envelope)).isEqualTo("m-1");
    for (String name : List.of("flag", "none", "ORDER")) {
      assertThat(Received.refusal(() -> Key.header(name).read("", envelope)))
          .contains("in the header " + name);
    }
    var bare = Received.text("{}");
    assertThat(Received.refusal(() -> Key.recordKey().read("", bare))).contains("no record key");
    assertThat(Received.refusal(() -> Key.messageId().read("", bare))).contains("no message id");
  }

  @Test
  @Tag("D11")
  void longKeysAreInvalidHoweverWellTheyCompress() throws Exception {
    var random = new Random(11);
    String hex = random.ints(2752, 0, 16).mapToObj(Integer::toHexString).reduce("", String::concat);
    for (String key : List.of("a".repeat(8000), hex.substring(0, 2688), hex, "a".repeat(1025))) {
      assertThat(Received.refusal(() -> read(key)))
          .isEqualTo(
              "the business key has %d bytes in UTF-8; at most 1024 are kept"
                  .formatted(key.length()));
    }
    assertThat(read("a".repeat(1024))).hasSize(1024);
    assertThat(read("é".repeat(512))).hasSize(512);
    Received.refusal(() -> read("é".repeat(513)));
    assertThat(read("\uD83D\uDE00".repeat(256))).hasSize(512);
    Received.refusal(() -> read("\uD83D\uDE00".repeat(256) + "a"));
  }

  @Test
  @Tag("D12")
  void nulAndOtherControlCharactersInKeysAreInvalid() {
    assertThat(refusalOf("\"a\\u0000b\""))
        .isEqualTo("the business key holds the control character U+0000 at index 1");
    assertThat(Received.refusal(() -> read("a\nb"))).contains("U+000A");
    assertThat(Received.refusal(() -> read("a\u0085"))).contains("U+0085");
  }

  @Test
  @Tag("D13")
  void keysAreComparedByteForByteAndNeverNormalised() throws Exception {
    Set<String> keys = new HashSet<>();
    for (String key : List.of("Ord-1", "ord-1", "ord-1 ", "cafe\u0301", "caf\u00e9")) {
      assertThat(pointed("\"" + key + "\"")).isEqualTo(key);
      keys.add(pointed("\"" + key + "\""));
    }
    assertThat(keys).hasSize(5);
    assertThat(refusalOf("\"\"")).isEqualTo("the business key is blank");
    assertThat(refusalOf("\" \u2003\"")).isEqualTo("the business key is blank");
  }

  @Test
  @Tag("D14")
  void halvesOfSurrogatePairsInKeysAreInvalidAndAQuestionMarkIsNot() throws Exception {
    assertThat(refusalOf("\"a\\ud800b\"")).contains("half of a surrogate pair at index 1");
    assertThat(refusalOf("\"a\\ud801b\"")).contains("half of a surrogate pair at index 1");
    assertThat(refusalOf("\"a\\udc00\"")).contains("half of a surrogate pair");
    assertThat(pointed("\"a?b\"")).isEqualTo("a?b");
    assertThat(pointed("\"a\\ud83d\\ude00b\"")).isEqualTo("a\uD83D\uDE00b");
  }

  @Test
  void joinedPartsNeverRunIntoEachOther() throws Exception {
    record Parts(String a, String b) {}
    Key<Parts> key = Key.join(Key.from(Parts::a), Key.from(Parts::b));
    var envelope = Received.text("");
    assertThat(key.read(new Parts("shop-1", "4711"), envelope)).isEqualTo("shop-1|4711");
    assertThat(key.read(new Parts("a,b", "c"), envelope))
        .isNotEqualTo(key.read(new Parts("a", "b,c"), envelope));
    var random = new Random(20261130);
    Map<String, Parts> seen = new HashMap<>();
    for (int round = 0; round < 20_000; round++) {
      Parts parts = new Parts(word(random), word(random));
      Parts before = seen.put(key.read(parts, envelope), parts);
      assertThat(before).isIn(null, parts);
    }
    assertThat(seen).hasSizeGreaterThan(1000);
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    int length = 1 + random.nextInt(4);
    for (int i = 0; i < length; i++) {
      word.append("|\\a,".charAt(random.nextInt(4)));
    }
    return word.toString();
  }

  @Test
  void joinsMixKindsOfKeysAndCheckEachPartAndTheWhole() throws Exception {
    Key<Order> key =
        Key.join(Key.pointer("/orderId"), Key.header("shop"), Key.from(Order::orderId));
    var envelope = Received.with("{\"orderId\":7}").headers(Map.of("shop", "s")).build();
    assertThat(key.read(new Order("x"), envelope)).isEqualTo("7|s|x");
    assertThat(key.alongside(Json.as(Order.class)).read(new Order("x"), envelope))
        .isEqualTo("7|s|x");
    Received.refusal(() -> key.read(new Order(" "), envelope));
    Received.refusal(() -> key.read(new Order("x".repeat(1021)), envelope));
    assertThat(key.read(new Order("x".repeat(1020)), envelope)).hasSize(1024);
    assertThat(Key.join(Key.from(Order::orderId)).read(new Order("a|b"), envelope))
        .isEqualTo("a|b");
    assertThatThrownBy(() -> Key.join()).hasMessageContaining("at least one part");
  }

  @Test
  void idempotencyKeysAreStablePlainAndDifferInEveryPart() {
    String key = IdempotencyKey.of("commissions", "4711", 1);
    assertThat(key).isEqualTo(IdempotencyKey.of("commissions", "4711", 1)).matches("[0-9a-f]{64}");
    assertThat(
            Set.of(
                key,
                IdempotencyKey.of("commissions4", "711", 1),
                IdempotencyKey.of("commission", "s4711", 1),
                IdempotencyKey.of("commissions", "4711", 2),
                IdempotencyKey.of("4711", "commissions", 1),
                IdempotencyKey.of("commissions", "4711\uD83D\uDE00", 1)))
        .hasSize(6);
  }

  @Test
  void aPointerKeyReadsBodiesAsTheDecoderDoes() throws Exception {
    var key = Key.pointer("/orderId").alongside(Body.text().maxBytes(20));
    assertThat(key.read("", Received.text("{\"orderId\":\"1\"}"))).isEqualTo("1");
    byte[] large = "{\"orderId\":\"1\",\"more\":2}".getBytes(StandardCharsets.UTF_8);
    assertThat(Received.refusal(() -> key.read("", Received.bytes(large)))).contains("max-bytes");
    var shallow = Key.pointer("/orderId").alongside(Json.as(Order.class).maxDepth(1));
    Received.refusal(() -> shallow.read("", Received.text("{\"orderId\":\"1\",\"x\":[]}")));
  }
}
