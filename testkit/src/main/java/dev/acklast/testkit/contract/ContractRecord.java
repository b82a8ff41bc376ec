package dev.acklast.testkit.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Writes down what became of each case, if the system property {@value #FOLDER} names a folder: a
 * file for each kind of broker there, with one line for each case: section, case, what became of
 * it, and why it was skipped, with tabs between them. Thread-safe.
 */
final class ContractRecord implements TestWatcher {
  static final String FOLDER = "acklast.contract.record";
  private static final String ABORTED = "Assumption failed: ";
  private static final ConcurrentHashMap<Path, Path> FILES = new ConcurrentHashMap<>();

  @Override
  public void testSuccessful(ExtensionContext test) {
    write(test, "passed", "");
  }

  @Override
  public void testFailed(ExtensionContext test, @Nullable Throwable cause) {
    write(test, "failed", "");
  }

  @Override
  public void testAborted(ExtensionContext test, @Nullable Throwable cause) {
    String reason = cause == null ? null : cause.getMessage();
    write(test, "skipped", reason == null ? "" : reason.replace(ABORTED, ""));
  }

  @Override
  public void testDisabled(ExtensionContext test, Optional<String> reason) {
    write(test, "skipped", reason.orElse(""));
  }

  private static void write(ExtensionContext test, String outcome, String reason) {
    String folder = System.getProperty(FOLDER);
    if (folder == null || folder.isBlank() || test.getTestInstance().isEmpty()) {
      return;
    }
    AdapterContract contract = (AdapterContract) test.getRequiredTestInstance();
    BrokerHarness broker = contract.broker();
    String method = test.getRequiredTestMethod().getName();
    String name =
        test.getDisplayName().startsWith(method) ? method : method + " " + test.getDisplayName();
    String because = reason.replaceFirst("^" + broker.kind() + " without \\w+: ", "");
    String line =
        String.join("\t", section(test), plain(name), outcome, plain(because))
            + System.lineSeparator();
    try {
      synchronized (ContractRecord.class) {
        Files.writeString(
            FILES.computeIfAbsent(Path.of(folder, broker.kind() + ".tsv"), ContractRecord::fresh),
            line,
            StandardCharsets.UTF_8,
            StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the case stands, in words: {@code Dead letter}, say. */
  private static String section(ExtensionContext test) {
    String type = test.getRequiredTestMethod().getDeclaringClass().getSimpleName();
    String words = type.replace("Contract", "").replaceAll("(?<=.)(?=\\p{Lu})", " ");
    return words.charAt(0) + words.substring(1).toLowerCase(java.util.Locale.ROOT);
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  /** What an earlier run has left is of no more use. */
  private static Path fresh(Path file) {
    try {
      Files.createDirectories(file.resolveSibling(""));
      return Files.writeString(file, "", StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
