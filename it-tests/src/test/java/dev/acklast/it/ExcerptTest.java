package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Code in the documentation that names its file in a comment before it stands in that file, line
 * breaks and indentation aside; a line of {@code …} leaves something out.
 */
class ExcerptTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern EXCERPT =
      Pattern.compile("<!-- (?<file>\\S+) -->\\s*```\\w+\\n(?<code>.*?)```", Pattern.DOTALL);

  private record Excerpt(Path page, String file, String code) {
    String name() {
      return ROOT.relativize(page) + " from " + file;
    }

    void check() throws IOException {
      String source = squeezed(Files.readString(ROOT.resolve(file)));
      for (String part : code.split("(?m)^\\s*…\\s*$")) {
        assertThat(source).as(part).contains(squeezed(part));
      }
    }

    private static String squeezed(String text) {
      return text.replaceAll("\\s+", "");
    }
  }

  private static List<Excerpt> excerpts() throws IOException {
    List<Excerpt> excerpts = new ArrayList<>();
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> pages =
          Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
              .filter(page -> page.toString().endsWith(".md"))
              .toList();
      for (Path page : pages) {
        Matcher matcher = EXCERPT.matcher(Files.readString(page));
        while (matcher.find()) {
          excerpts.add(new Excerpt(page, matcher.group("file"), matcher.group("code")));
        }
      }
    }
    return excerpts;
  }

  @TestFactory
  Stream<DynamicTest> codeStandsInTheFileThatItNames() throws IOException {
    return excerpts().stream()
        .map(excerpt -> DynamicTest.dynamicTest(excerpt.name(), excerpt::check));
  }

  @Test
  void readmeHasAnExcerpt() throws IOException {
    assertThat(excerpts()).anyMatch(excerpt -> excerpt.page().endsWith("README.md"));
  }
}
