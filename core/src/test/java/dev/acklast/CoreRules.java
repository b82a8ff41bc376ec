package dev.acklast;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.acklast.spi.Acker;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/**
 * What core's main code may depend on and do. Each rule allows that there is nothing to check, so
 * that it stands before the code it is about; {@link ArchitectureTest} shows that each one bites.
 */
final class CoreRules {
  private static final String LANES = "dev.acklast.Lanes";
  private static final Set<JavaModifier> VISIBLE =
      Set.of(JavaModifier.PUBLIC, JavaModifier.PROTECTED);

  static final ArchRule KNOWS_NO_BROKER =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "com.rabbitmq..",
                  "software.amazon..",
                  "org.apache.kafka..",
                  "org.springframework.."))
          .because("core serves every broker, and adapters bring the clients")
          .allowEmptyShould(true);

  static final ArchRule HAS_NO_PACKAGE_CYCLES =
      slices().assignedFrom(new PackageSlices()).should().beFreeOfCycles().allowEmptyShould(true);

  static final ArchRule HAS_FOUR_PACKAGES =
      classes()
          .should()
          .resideInAnyPackage(
              "dev.acklast", "dev.acklast.spi", "dev.acklast.metrics", "dev.acklast.store")
          .because(
              "users import one package, adapters another, metrics are optional, and the store is internal")
          .allowEmptyShould(true);

  static final ArchRule ONLY_LANES_STARTS_THREADS =
      noClasses()
          .that(
              DescribedPredicate.describe(
                  "are not " + LANES,
                  type -> !type.getName().equals(LANES) && !type.getName().startsWith(LANES + "$")))
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "starts threads or borrows them", CoreRules::startsThread))
          .because("who counts and ends the threads has to know them all")
          .allowEmptyShould(true);

  static final ArchRule SETTLES_IN_ONE_PLACE =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.acklast.Settlement")
          .and()
          .doNotHaveFullyQualifiedName("dev.acklast.Burial")
          .should()
          .accessTargetWhere(DescribedPredicate.describe("settles a delivery", CoreRules::settles))
          .because("the broker hears of an outcome from one place only, when it is durable")
          .allowEmptyShould(true);

  static final ArchRule LEAKS_NO_INTERNALS =
      classes()
          .that()
          .resideInAnyPackage("dev.acklast", "dev.acklast.spi")
          .and()
          .arePublic()
          .should(new NameNoInternalType())
          .because("dev.acklast.store is not exported")
          .allowEmptyShould(true);

  private CoreRules() {}

  private static boolean startsThread(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getName();
    if (name.equals("<init>")) {
      return List.of(Thread.class, ExecutorService.class, Timer.class).stream()
          .anyMatch(owner::isAssignableTo);
    }
    return switch (name) {
      case "commonPool", "startVirtualThread", "ofVirtual", "ofPlatform" -> true;
      case "parallel" -> owner.isAssignableTo(BaseStream.class);
      case "parallelStream" -> owner.isAssignableTo(Collection.class);
      default ->
          owner.isEquivalentTo(Executors.class)
              || (owner.isAssignableTo(CompletionStage.class) && borrowsCommonPool(access));
    };
  }

  private static boolean settles(JavaAccess<?> access) {
    return access.getTargetOwner().isAssignableTo(Acker.class)
        && !access.getName().equals("isLive");
  }

  /** The asynchronous methods without an executor run on a pool that the whole process shares. */
  private static boolean borrowsCommonPool(JavaAccess<?> access) {
    return access.getName().endsWith("Async")
        && access.getTarget() instanceof CodeUnitAccessTarget target
        && target.getRawParameterTypes().stream()
            .noneMatch(type -> type.isAssignableTo(Executor.class));
  }

  private static final class PackageSlices implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return type.getPackageName().startsWith("dev.acklast")
          ? SliceIdentifier.of(type.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages of Acklast";
    }
  }

  private static final class NameNoInternalType extends ArchCondition<JavaClass> {
    NameNoInternalType() {
      super("name no internal type in what others see of them");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      var supertypes =
          Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
      report(type.getName(), supertypes, events);
      type.getMembers().stream()
          .filter(member -> VISIBLE.stream().anyMatch(member.getModifiers()::contains))
          .forEach(
              member ->
                  report(member.getFullName(), member.getAllInvolvedRawTypes().stream(), events));
    }

    private static void report(String who, Stream<JavaClass> named, ConditionEvents events) {
      named
          .filter(resideInAPackage("dev.acklast.store.."))
          .map(type -> SimpleConditionEvent.violated(type, who + " names " + type.getName()))
          .forEach(events::add);
    }
  }
}
