package dev.acklast.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private void tell(Console console) {
    console.begin("Counting");
    console.progress("one");
    console.progress("two");
    console.done("three");
  }

  private String output() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void writesOneLineOverAndOverOnATerminal() {
    tell(new Console(out, 80));
    assertThat(output())
        .contains("\r\u001B[KCounting … one\r\u001B[KCounting … two\r\u001B[KCounting: three (")
        .endsWith(" s)" + System.lineSeparator());
    assertThat(output().lines().filter(line -> line.contains("three"))).hasSize(1);
  }

  @Test
  void cutsWhatWouldWrap() {
    new Console(out, 10).begin("A long step");
    assertThat(output()).isEqualTo("\r\u001B[KA long st");
  }

  @Test
  void writesPlainLinesElsewhereAndNoNewsOfTheFirstSeconds() {
    tell(new Console(out, 0));
    assertThat(output()).doesNotContain("\u001B").doesNotContain("\r").doesNotContain("two");
    assertThat(output().lines()).hasSize(1).first().asString().startsWith("Counting: three (");
  }

  @Test
  void saysNothingOnceSilenced() {
    Console console = new Console(out, 0);
    console.silence();
    tell(console);
    assertThat(output()).isEmpty();
  }
}
