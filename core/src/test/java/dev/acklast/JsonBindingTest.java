package dev.acklast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonBindingTest {
  enum Kind {
    SALE,
    REFUND
  }

  record Line(int quantity, Kind kind) {}

  record Sale(String id, BigDecimal amount, Optional<String> note, Instant at, List<Line> lines) {}

  record Strict(String id) {
    @JsonCreator
    Strict {
      if (id.length() > 3) {
        throw new IllegalArgumentException("too long: " + id);
      }
    }
  }

  /** What an attacker would like to have made. */
  public static final class Gadget {
    static final AtomicInteger MADE = new AtomicInteger();

    public Gadget() {
      MADE.incrementAndGet();
    }
  }

  private static String refusalOf(Json<?> decoder, String body) {
    return Received.refusal(() -> decoder.decode(Received.text(body)));
  }

  @Test
  @Tag("F05")
  void unknownFieldsAreIgnoredAndMissingOnesAreLeftOut() throws Exception {
    Sale sale =
        Json.as(Sale.class)
            .decode(Received.text("{\"id\":\"a\",\"amount\":10.50,\"added\":{\"in\":[2027]}}"));
    assertThat(sale)
        .isEqualTo(new Sale("a", new BigDecimal("10.50"), Optional.empty(), null, null));
  }

  @Test
  @Tag("F05")
  void unknownEnumValuesAreInvalidAndNamedByTheirPlaceOnly() {
    String body = "{\"lines\":[{\"kind\":\"SALE\"},{\"kind\":\"SECRET-4711\"}]}";
    assertThat(refusalOf(Json.as(Sale.class), body))
        .isEqualTo("the field /lines/1/kind holds a value that is no valid Kind");
    assertThat(refusalOf(Json.as(Sale.class), "{\"lines\":[{\"kind\":0}]}")).contains("/kind");
  }

  @ParameterizedTest
  @CsvSource({"1.5", "1.0", "99999999999", "true", "'\"SECRET\"'", "[1]", "{}"})
  void whatIsNoIntIsNotBentIntoOne(String value) {
    assertThat(refusalOf(Json.as(Sale.class), "{\"lines\":[{\"quantity\":%s}]}".formatted(value)))
        .contains("/lines/0/quantity");
  }

  @Test
  void aNumberOutOfRangeSaysSo() {
    assertThat(refusalOf(Json.as(Integer.class), "99999999999"))
        .contains("out of its type's range");
  }

  @Test
  void timesAndGenericTypesAreBound() throws Exception {
    var decoder = Json.as(new TypeReference<Map<String, OffsetDateTime>>() {});
    assertThat(decoder.decode(Received.text("{\"at\":\"2026-03-01T10:00:00+02:00\"}")))
        .isEqualTo(Map.of("at", OffsetDateTime.parse("2026-03-01T10:00:00+02:00")));
  }

  @Test
  @Tag("F06")
  void neitherHeadersNorFieldsChooseClasses() throws Exception {
    String name = Gadget.class.getName();
    for (String body :
        List.of("{\"id\":\"a\",\"@class\":\"" + name + "\"}", "[\"" + name + "\",{}]")) {
      var envelope =
          Received.with(body)
              .headers(Map.of("__TypeId__", name, "__ContentTypeId__", name, "type", name))
              .build();
      assertThat(Json.as(Object.class).decode(envelope)).isInstanceOfAny(Map.class, List.class);
      assertThat(Json.tree().decode(envelope)).isNotNull();
    }
    var envelope =
        Received.with("{\"id\":\"a\",\"@class\":\"" + name + "\"}")
            .headers(Map.of("__TypeId__", name))
            .build();
    assertThat(Json.as(Strict.class).decode(envelope)).isEqualTo(new Strict("a"));
    assertThat(Gadget.MADE).hasValue(0);
  }

  @Test
  @Tag("F06")
  void aMapperWithDefaultTypingIsRefused() {
    ObjectMapper mapper =
        JsonMapper.builder()
            .activateDefaultTyping(
                BasicPolymorphicTypeValidator.builder().allowIfSubType("com.acme").build())
            .build();
    assertThatThrownBy(() -> Json.as(Object.class).mapper(mapper))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default typing");
  }

  @Test
  @Tag("E11")
  void constructorsThatThrowAreNamedByClassOnly() {
    assertThat(refusalOf(Json.as(Strict.class), "{\"id\":\"SECRET-4711\"}"))
        .isEqualTo(
            "the body does not make a Strict: java.lang.IllegalArgumentException was thrown");
  }

  @Test
  @Tag("E11")
  void keysOfMapsAndUnknownFieldsAreNotNamed() {
    var maps = Json.as(new TypeReference<Map<String, Line>>() {});
    assertThat(refusalOf(maps, "{\"SECRET-4711\":{\"quantity\":\"x\"}}"))
        .isEqualTo("the field /*/quantity holds a value that is no valid int");
    var strict = Json.as(Line.class).mapper(new ObjectMapper());
    assertThat(refusalOf(strict, "{\"SECRET-4711\":1}"))
        .isEqualTo("the field /* is a field that the target type does not allow");
  }

  @Test
  void theUsersMapperIsUsedAndNeverAltered() throws Exception {
    ObjectMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    record Item(String itemId) {}
    var decoder = Json.as(Item.class).mapper(mapper).maxDepth(5);
    assertThat(decoder.decode(Received.text("{\"item_id\":\"a\"}"))).isEqualTo(new Item("a"));
    assertThat(refusalOf(decoder, "{\"item_id\":\"a\",\"item_id\":\"b\"}")).contains("twice");
    assertThat(refusalOf(decoder, "{\"item_id\":\"a\"} x")).isNotEmpty();
    assertThat(mapper.readTree("{\"a\":1,\"a\":2}").toString()).isEqualTo("{\"a\":2}");
    mapper.setPropertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE);
    assertThat(decoder.decode(Received.text("{\"item_id\":\"c\"}"))).isEqualTo(new Item("c"));
  }

  @Test
  void aTypeThatNothingCanBeBoundToIsRefusedBeforeTheFirstMessage() {
    assertThatThrownBy(() -> Json.as(Runnable.class).verify())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no message can be decoded as java.lang.Runnable");
    Json.as(Sale.class).verify();
    Json.as(Strict.class).verify();
    Json.as(String.class).verify();
    Json.tree().verify();
  }

  @Test
  void limitsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> Json.tree().maxBytes(0))
        .hasMessage("max-bytes must be 1 to 536870912, not 0");
    assertThatThrownBy(() -> Json.tree().maxDepth(-1))
        .hasMessage("max-depth must be 1 to 10000, not -1");
    assertThatThrownBy(() -> Body.text().maxBytes(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
