package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.testkit.flaw.Flaw;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The way from the contract's cases to the README's table. */
class AdapterTableTest {
  private static final String RECORD = "acklast.contract.record";
  private static final String BEGIN = "<!-- adapters: begin -->\n";
  private static final String END = "<!-- adapters: end -->\n";

  @TempDir Path folder;

  @Test
  void recordTellsWhatPassedFailedAndWasSkippedAndWhy() throws IOException {
    String before = System.getProperty(RECORD, "");
    System.setProperty(RECORD, folder.toString());
    try {
      FlawedContract.breakIn(Flaw.HEADERS_LOST);
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(
                      DiscoverySelectors.selectMethod(
                          FlawedContract.class, "textHeadersArriveAsSent"),
                      DiscoverySelectors.selectMethod(
                          FlawedContract.class, "halfOpenConnectionIsNoticedAndReplaced"),
                      DiscoverySelectors.selectMethod(
                          FlawedContract.class, "unicodeBodyArrivesAsSent"))
                  .build());
    } finally {
      System.setProperty(RECORD, before);
    }
    assertThat(Files.readAllLines(folder.resolve("in memory, wrapped.tsv")))
        .containsExactlyInAnyOrder(
            "Delivery\ttextHeadersArriveAsSent\tfailed\t",
            "Life\thalfOpenConnectionIsNoticedAndReplaced\tskipped\tthere is no network",
            "Delivery\tunicodeBodyArrivesAsSent\tpassed\t");
  }

  @Test
  void tableHasAColumnForEachKindAndTheReasonOfEachSkip() throws Exception {
    record(
        "rabbitmq quorum",
        "Delivery\ta\tpassed\t",
        "Life\tb [1]\tpassed\t",
        "Life\tb [2]\tpassed\t");
    record(
        "sqs fifo",
        "Delivery\ta\tskipped\tno such thing",
        "Life\tb [1]\tfailed\t",
        "Own\tc\tpassed\t");
    record("in memory, wrapped", "Delivery\ta\tfailed\t");
    Path page = page("an old table\n");

    assertThat(adapterTable(page)).isZero();

    assertThat(page)
        .content()
        .isEqualTo(
            "before\n"
                + BEGIN
                + "| section | rabbitmq quorum | sqs fifo |\n|---|---|---|\n"
                + "| Delivery | 1 | 0, 1 skipped |\n"
                + "| Life | 2 | 0, **1 failed** |\n"
                + "| Own | – | 1 |\n"
                + "\nSkipped, and why:\n\n"
                + "- sqs fifo: no such thing (`a`)\n"
                + END
                + "after\n");
  }

  @Test
  void caseThatWasRunAgainCountsOnceAsItEnded() throws Exception {
    record("kafka", "Retry\ta\tfailed\t", "Retry\ta\tpassed\t");
    Path page = page("");
    assertThat(adapterTable(page)).isZero();
    assertThat(page).content().contains("| Retry | 1 |");
  }

  @Test
  void checkTellsOfADifferenceAndWritesNothing() throws Exception {
    record("kafka", "Retry\ta\tpassed\t");
    Path page = page("an old table\n");
    assertThat(adapterTable(page, "--check")).isEqualTo(1);
    assertThat(page).content().contains("an old table");
    assertThat(adapterTable(page)).isZero();
    assertThat(adapterTable(page, "--check")).isZero();
  }

  @Test
  void withoutRecordsOrMarkersNothingIsWritten() throws Exception {
    Path page = page("an old table\n");
    assertThat(adapterTable(page)).isEqualTo(2);
    record("kafka", "Retry\ta\tpassed\t");
    Files.writeString(page, "no markers\n");
    assertThat(adapterTable(page)).isEqualTo(2);
    assertThat(page).hasContent("no markers");
  }

  private void record(String kind, String... lines) throws IOException {
    Path records = Files.createDirectories(folder.resolve("records"));
    Files.write(records.resolve(kind + ".tsv"), List.of(lines), StandardCharsets.UTF_8);
  }

  private Path page(String table) throws IOException {
    return Files.writeString(
        folder.resolve("page.md"), "before\n" + BEGIN + table + END + "after\n");
  }

  private int adapterTable(Path page, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("../bin/adapter-table", "--page"));
    command.add(page.toString());
    command.addAll(List.of("--records", folder.resolve("records").toString()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
