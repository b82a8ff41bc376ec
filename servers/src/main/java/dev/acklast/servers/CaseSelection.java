package dev.acklast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Picks the test cases of one run by the system properties that the build hands to each test JVM,
 * and writes down which ones were left out. JUnit finds it as a service; without the properties it
 * lets every case pass. Not meant for use in code.
 *
 * <p>The build tool's own filters cannot do this: they do not see nested classes that a test class
 * inherits from a suite in another module, cannot ask for "tag or class", and do not tell what they
 * removed.
 *
 * <ul>
 *   <li>{@code acklast.only}: a case runs if this equals one of its tags, or names its method, its
 *       class or one of the classes around it. Case does not matter; {@code *} stands for any text.
 *   <li>{@code acklast.excluded}: tags, separated by commas. A case with one of them does not run.
 *   <li>{@code acklast.build.directory}: where {@code left-out.txt} is written, a line for each
 *       case that {@code acklast.excluded} left out: its tags, then its unique id.
 * </ul>
 *
 * <p>Discovery is single-threaded, and so is this.
 */
public final class CaseSelection implements PostDiscoveryFilter {
  private final @Nullable Pattern only;
  private final Set<String> excluded;
  private final @Nullable Path buildDirectory;

  /** For JUnit's service loader. */
  public CaseSelection() {
    this(
        System.getProperty("acklast.only", ""),
        System.getProperty("acklast.excluded", ""),
        Optional.ofNullable(System.getProperty("acklast.build.directory"))
            .map(Path::of)
            .orElse(null));
  }

  CaseSelection(String only, String excluded, @Nullable Path buildDirectory) {
    this.only = only.isBlank() ? null : pattern(only.strip());
    this.excluded =
        Stream.of(excluded.split(",", -1))
            .map(String::strip)
            .filter(tag -> !tag.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    this.buildDirectory = buildDirectory;
  }

  @Override
  public FilterResult apply(TestDescriptor candidate) {
    if (candidate.isContainer() && !candidate.mayRegisterTests()) {
      return FilterResult.included("JUnit drops a container that is left without cases");
    }
    if (only != null && names(candidate).noneMatch(name -> only.matcher(name).matches())) {
      return FilterResult.excluded("not asked for by acklast.only");
    }
    Set<String> tags =
        candidate.getTags().stream().map(TestTag::getName).collect(Collectors.toSet());
    if (tags.stream().anyMatch(excluded::contains)) {
      writeDown(tags, candidate.getUniqueId().toString());
      return FilterResult.excluded("has a tag of acklast.excluded");
    }
    return FilterResult.included("asked for");
  }

  private static Pattern pattern(String text) {
    String regex =
        Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
  }

  private static Stream<String> names(TestDescriptor candidate) {
    Stream<String> tags = candidate.getTags().stream().map(TestTag::getName);
    Stream<String> sources =
        Stream.iterate(
                Optional.of(candidate),
                Optional::isPresent,
                d -> d.flatMap(TestDescriptor::getParent))
            .flatMap(Optional::stream)
            .flatMap(descriptor -> descriptor.getSource().stream())
            .flatMap(CaseSelection::names);
    return Stream.concat(tags, sources);
  }

  private static Stream<String> names(TestSource source) {
    if (source instanceof MethodSource method) {
      return Stream.of(method.getMethodName());
    }
    if (source instanceof ClassSource type) {
      String simpleName = type.getJavaClass().getSimpleName();
      return Stream.of(simpleName, type.getClassName());
    }
    return Stream.empty();
  }

  /** The build discovers more than once: the reader has to drop lines that it has seen. */
  private void writeDown(Set<String> tags, String uniqueId) {
    if (buildDirectory == null) {
      return;
    }
    String line = tags.stream().sorted().collect(Collectors.joining(",")) + " " + uniqueId + "\n";
    try {
      Files.writeString(
          buildDirectory.resolve("left-out.txt"),
          line,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write which test cases were left out", e);
    }
  }
}
