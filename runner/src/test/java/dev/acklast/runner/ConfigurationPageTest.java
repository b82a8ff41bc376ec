package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code docs/configuration.md} states every key that the code knows, and no other. */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("../docs/configuration.md");

  /** The rows under the heading that names the block's path. */
  private static List<List<String>> rows(Block block) throws IOException {
    String heading = "## " + (block == Block.FILE ? "The file" : "`" + block.path() + "`");
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        inside = line.equals(heading);
      } else if (inside && line.startsWith("| `")) {
        String[] cells = line.split("(?<!\\\\)\\|");
        rows.add(Arrays.stream(cells).skip(1).map(String::strip).toList());
      }
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Block.class)
  void thePageStatesEveryKeyWithMeaningRangeAndDefault(Block block) throws IOException {
    List<List<String>> rows = rows(block);
    assertThat(rows)
        .extracting(row -> row.get(0))
        .containsExactlyElementsOf(block.names().stream().map(name -> "`" + name + "`").toList());
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      ConfigKey key = block.keys().get(i);
      assertThat(row).as(key.name()).hasSize(4);
      assertThat(row.get(1)).as("meaning of " + key.name()).hasSizeGreaterThan(15);
      assertThat(row.get(2)).as("range of " + key.name()).isEqualTo(key.range());
      assertThat(row.get(3)).as("default of " + key.name()).isEqualTo(key.fallback());
    }
  }
}
