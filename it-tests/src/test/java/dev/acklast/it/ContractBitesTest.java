package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.testkit.InMemoryOptions;
import dev.acklast.testkit.contract.InMemoryHarness;
import dev.acklast.testkit.flaw.Flaw;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Every case of the contract can fail: each is failed by an adapter that is broken on purpose. */
@Tag("long")
class ContractBitesTest {
  /** What the broker in memory cannot have; other brokers' runs show those. */
  private static final Set<String> NOT_IN_MEMORY =
      Set.of(
          "halfOpenConnectionIsNoticedAndReplaced",
          "slowNetworkSlowsAndBreaksNothing",
          "processDeathOnTheWayToAnEffectLosesAndDoublesNothing",
          "processDeathOnTheWayToADeadLetterLosesNothingAndCountsOnce",
          "messageThatKillsTheProcessIsDeadLetteredAndItsNeighboursAreNot");

  @ParameterizedTest
  @EnumSource
  void brokenAdapterFailsTheCasesItShould(Flaw flaw) {
    FlawedContract.breakIn(flaw);
    List<String> expected = Bites.of(flaw);
    assertThat(expected).as("cases against " + flaw).isNotEmpty();
    assertThat(failed(expected)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void everyCaseIsFailedByABrokenAdapter() {
    Set<String> bitten = new TreeSet<>(NOT_IN_MEMORY);
    Arrays.stream(Flaw.values()).forEach(flaw -> bitten.addAll(Bites.of(flaw)));
    Set<String> all = new TreeSet<>();
    cases().forEach(method -> all.add(method.getName()));
    assertThat(all).isEqualTo(bitten);
    assertThat(new InMemoryHarness(InMemoryOptions.standard()).abilities().lacking()).hasSize(2);
  }

  private static List<Method> cases() {
    return Arrays.stream(FlawedContract.class.getMethods())
        .filter(
            method ->
                AnnotationSupport.isAnnotated(method, Test.class)
                    || AnnotationSupport.isAnnotated(method, ParameterizedTest.class))
        .toList();
  }

  private static Set<String> failed(List<String> names) {
    var selectors =
        cases().stream()
            .filter(method -> names.contains(method.getName()))
            .map(method -> DiscoverySelectors.selectMethod(FlawedContract.class, method))
            .toList();
    Set<String> failed = new ConcurrentSkipListSet<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectors).build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                  test.getSource()
                      .filter(MethodSource.class::isInstance)
                      .map(source -> ((MethodSource) source).getMethodName())
                      .ifPresent(failed::add);
                }
              }
            });
    return failed;
  }
}
