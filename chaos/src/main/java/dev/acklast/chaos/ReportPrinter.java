package dev.acklast.chaos;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells what an audit found, and the history of the keys that it is about. */
final class ReportPrinter {
  private static final int MOST_FINDINGS = 40;
  private static final int MOST_HISTORIES = 8;
  private static final int MOST_LINES = 60;

  private final Screen screen;
  private final Path folder;
  private final Stage stage;

  ReportPrinter(Screen screen, Path folder, Stage stage) {
    this.screen = screen;
    this.folder = folder;
    this.stage = stage;
  }

  void print(Audit.Report report) throws Exception {
    report.races().forEach(race -> screen.line("race: " + race));
    List<Finding> findings = report.findings();
    findings.stream().limit(MOST_FINDINGS).forEach(finding -> screen.line("breach: " + finding));
    if (findings.size() > MOST_FINDINGS) {
      screen.line("and " + (findings.size() - MOST_FINDINGS) + " more");
    }
    Set<String> keys = new LinkedHashSet<>();
    for (Finding finding : findings) {
      if (finding.key() != null && keys.size() < MOST_HISTORIES) {
        keys.add(finding.key());
      }
    }
    if (!keys.isEmpty()) {
      tell(new History(folder, stage.database().dataSource(), stage.broker().letters()).of(keys));
    }
  }

  private void tell(Map<String, List<String>> histories) {
    histories.forEach(
        (key, lines) -> {
          screen.line("history of " + key + ":");
          lines.stream().limit(MOST_LINES).forEach(line -> screen.line("  " + line));
        });
  }
}
