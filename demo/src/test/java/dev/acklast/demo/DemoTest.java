package dev.acklast.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DemoTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String output() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Tag("broker")
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void acklastPassesWhereTheUsualConsumerPaysTwice() {
    assumeThat(System.getenv("ACKLAST_RABBITMQ_URI"))
        .as("servers of somebody else, which are not to be restarted")
        .isNull();

    int code = Demo.run(new Console(out, 0), "--messages", "400", "--seed", "5");

    List<String> lines = output().lines().toList();
    assertThat(lines.get(lines.size() - 1))
        .as(output())
        .isEqualTo("PASS: 500 sales: 498 commissions, 2 dead-lettered, 0 doubled, 0 lost");
    assertThat(code).isZero();
    Matcher doubled = Pattern.compile("doubled +0 +([1-9][0-9,]*)").matcher(output());
    assertThat(doubled.find()).as(output()).isTrue();
    assertThat(Integer.parseInt(doubled.group(1).replace(",", ""))).isGreaterThanOrEqualTo(398);
  }

  @Test
  void refusesTooFewSalesAndSaysTheLimits() {
    PrintStream before = System.err;
    System.setErr(out);
    try {
      assertThat(Demo.run(new Console(out, 0), "--messages", "99")).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(output()).contains("--messages must be 100 to 200,000");
  }
}
