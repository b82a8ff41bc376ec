package dev.acklast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the workers have logged that no worker should. */
final class WorkerLogs {
  /** What Acklast says of a bug of its own. */
  private static final String OWN_FAULT = "A fault in Acklast itself";

  private WorkerLogs() {}

  static List<Finding> faults(Path folder) throws IOException {
    List<Finding> faults = new ArrayList<>();
    for (int worker = 0; worker < Crew.MOST; worker++) {
      Path file = folder.resolve(Crew.name(worker) + ".log");
      if (!Files.exists(file)) {
        continue;
      }
      try (Stream<String> lines = Files.lines(file)) {
        long count = lines.filter(line -> line.contains(OWN_FAULT)).count();
        if (count > 0) {
          String text = Crew.name(worker) + " logged '" + OWN_FAULT + "', " + count + " times";
          faults.add(new Finding(Breach.CONSUMER_FAULT, null, text));
        }
      }
    }
    return faults;
  }
}
