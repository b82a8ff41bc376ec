package dev.acklast.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class CaseSelectionTest {
  @TempDir Path directory;

  @Test
  void letsEveryCasePassUnlessToldOtherwise() {
    assertThat(casesOf(new CaseSelection("", "", null)))
        .containsExactlyInAnyOrder("plain", "acks", "retries", "repeats", "drains");
  }

  @Test
  void picksCasesByTheirOwnOrAnInheritedTag() {
    assertThat(casesOf(new CaseSelection("A03", "", null))).containsExactly("retries");
    assertThat(casesOf(new CaseSelection("life", "", null))).containsExactly("drains");
  }

  @Test
  void picksCasesOfANestedClassThatASuiteBequeaths() {
    assertThat(casesOf(new CaseSelection("Settling", "", null)))
        .containsExactlyInAnyOrder("acks", "retries", "repeats");
  }

  @Test
  void picksCasesByPartsOfClassAndMethodNames() {
    assertThat(casesOf(new CaseSelection("*broker", "", null))).hasSize(5);
    assertThat(casesOf(new CaseSelection("re*", "", null)))
        .containsExactlyInAnyOrder("retries", "repeats");
  }

  @Test
  void takesPatternsLiterallyButForTheStar() {
    assertThat(casesOf(new CaseSelection("a.ks", "", null))).isEmpty();
  }

  @Test
  void leavesOutCasesWithAnExcludedTagAndWritesThemDown() throws IOException {
    assertThat(casesOf(new CaseSelection("", "broker, long", directory)))
        .containsExactlyInAnyOrder("plain", "acks");

    assertThat(leftOut())
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).startsWith("A03,long ").contains("retries"))
        .anySatisfy(line -> assertThat(line).startsWith("broker ").contains("repeats"))
        .anySatisfy(line -> assertThat(line).startsWith("Life,broker,long ").contains("drains"));
  }

  @Test
  void writesDownOnlyWhatWasAskedFor() throws IOException {
    assertThat(casesOf(new CaseSelection("A03", "broker,long", directory))).isEmpty();

    assertThat(leftOut()).singleElement().asString().startsWith("A03,long ");
  }

  private List<String> leftOut() throws IOException {
    return Files.readAllLines(directory.resolve("left-out.txt"), UTF_8);
  }

  /** Names of the test methods that JUnit would run of the sample below. */
  private static List<String> casesOf(CaseSelection selection) {
    // The build's own selection, found as a service, must not have a say here.
    var launcher =
        LauncherFactory.create(
            LauncherConfig.builder().enablePostDiscoveryFilterAutoRegistration(false).build());
    TestPlan plan =
        launcher.discover(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(OneBroker.class))
                .filters(selection)
                .build());
    return plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .map(TestIdentifier::getSource)
        .flatMap(source -> source.stream())
        .filter(MethodSource.class::isInstance)
        .map(source -> ((MethodSource) source).getMethodName())
        .toList();
  }

  abstract static class Suite {
    @Test
    void plain() {}

    @Nested
    class Settling {
      @Test
      void acks() {}

      @Test
      @Tag("A03")
      @Tag("long")
      void retries() {}

      @RepeatedTest(2)
      @Tag("broker")
      void repeats() {}
    }

    @Nested
    @Tag("Life")
    @Tag("broker")
    class Shutdown {
      @Test
      @Tag("long")
      void drains() {}
    }
  }

  static class OneBroker extends Suite {}
}
