package dev.acklast;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.acklast.sample.one.One;
import dev.acklast.sample.two.Two;
import dev.acklast.spi.Acker;
import dev.acklast.store.Internal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .importPath(Path.of(System.getProperty("acklast.build.directory", "target"), "classes"));

  @Test
  void coreKnowsNoBroker() {
    CoreRules.KNOWS_NO_BROKER.check(CORE);
  }

  @Test
  void packagesDependOnEachOtherWithoutCycles() {
    CoreRules.HAS_NO_PACKAGE_CYCLES.check(CORE);
  }

  @Test
  void coreHasFourPackages() {
    CoreRules.HAS_FOUR_PACKAGES.check(CORE);
  }

  @Test
  void onlyLanesStartsThreads() {
    CoreRules.ONLY_LANES_STARTS_THREADS.check(CORE);
  }

  @Test
  void deliveriesAreSettledInOnePlace() {
    CoreRules.SETTLES_IN_ONE_PLACE.check(CORE);
  }

  @Test
  void publicFacesNameNoInternalTypes() {
    CoreRules.LEAKS_NO_INTERNALS.check(CORE);
  }

  /** Each rule against code that breaks it: a rule that passes here would pass everything. */
  @Nested
  class RulesBite {
    @Test
    void onAClientOfABroker() {
      assertBroken(CoreRules.KNOWS_NO_BROKER, UsesBroker.class);
    }

    @Test
    void onPackagesInACycle() {
      assertBroken(CoreRules.HAS_NO_PACKAGE_CYCLES, One.class, Two.class);
    }

    @Test
    void onAFifthPackage() {
      assertBroken(CoreRules.HAS_FOUR_PACKAGES, One.class);
    }

    @ParameterizedTest
    @ValueSource(
        classes = {
          NewThread.class,
          ThreadReference.class,
          OwnThread.class,
          Pool.class,
          CommonPool.class,
          AsyncStage.class,
          ParallelStream.class
        })
    void onThreadsOutsideTheLanes(Class<?> type) {
      assertBroken(CoreRules.ONLY_LANES_STARTS_THREADS, type);
    }

    @ParameterizedTest
    @ValueSource(classes = {InternalResult.class, InternalArgument.class, InternalParent.class})
    void onAnInternalTypeInAPublicFace(Class<?> type) {
      assertBroken(CoreRules.LEAKS_NO_INTERNALS, type);
    }

    @Test
    void onASettleElsewhere() {
      assertBroken(CoreRules.SETTLES_IN_ONE_PLACE, SettlesElsewhere.class);
    }

    private static void assertBroken(ArchRule rule, Class<?>... types) {
      assertThat(rule.evaluate(new ClassFileImporter().importClasses(types)).hasViolation())
          .isTrue();
    }
  }

  static class UsesBroker {
    ConnectionFactory factory = new ConnectionFactory();
  }

  static class SettlesElsewhere {
    Object settle(Acker acker) {
      return acker.release();
    }
  }

  static class NewThread {
    Thread thread = new Thread(() -> {});
  }

  static class ThreadReference {
    ThreadFactory factory = Thread::new;
  }

  static class OwnThread extends Thread {}

  static class Pool {
    Object pool = Executors.newFixedThreadPool(1);
  }

  static class CommonPool {
    Object pool = ForkJoinPool.commonPool();
  }

  static class AsyncStage {
    Object stage = CompletableFuture.runAsync(() -> {});
  }

  static class ParallelStream {
    Object stream = List.of(1).parallelStream();
  }

  public static class InternalResult {
    protected List<Internal> internals() {
      return List.of();
    }
  }

  public static class InternalArgument {
    public InternalArgument(Internal internal) {}
  }

  public static class InternalParent extends Internal {}
}
