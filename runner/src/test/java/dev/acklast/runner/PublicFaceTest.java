package dev.acklast.runner;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How much of each module is public; the runner has most of them on its class path. */
class PublicFaceTest {
  /** A module's classes come from its folder or, once it is packed, from its jar. */
  private static final Pattern MODULE =
      Pattern.compile(".*/(?<folder>[^/]+)/target/(classes|[^/]+\\.jar!)/.*");

  /** The servers are for tests and demos alone, and face whoever writes those. */
  private static final String SERVERS = "servers";

  private static final Map<String, List<JavaClass>> MODULES =
      new ClassFileImporter()
              .withImportOption(new ImportOption.DoNotIncludeTests())
              .importPackages("dev.acklast")
              .stream()
              .filter(JavaClass::isTopLevelClass)
              .filter(type -> !type.getSimpleName().endsWith("-info"))
              .collect(groupingBy(PublicFaceTest::module));

  @Test
  void findsTheModules() {
    assertThat(MODULES)
        .containsKeys(
            "core",
            "adapter-rabbitmq",
            "adapter-sqs",
            "adapter-kafka",
            "testkit",
            "runner",
            SERVERS)
        .doesNotContainKey("");
  }

  @Test
  void atMostHalfOfAModulesTopLevelTypesArePublic() {
    Map<String, String> tooOpen =
        MODULES.entrySet().stream()
            .filter(module -> !module.getKey().equals(SERVERS))
            .filter(module -> 2 * open(module.getValue()).size() > module.getValue().size())
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    module -> open(module.getValue()) + " of " + module.getValue().size()));

    assertThat(tooOpen).isEmpty();
  }

  private static List<String> open(List<JavaClass> types) {
    return types.stream()
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .map(JavaClass::getName)
        .sorted()
        .toList();
  }

  private static String module(JavaClass type) {
    Matcher matcher = MODULE.matcher(type.getSource().orElseThrow().getUri().toString());
    return matcher.matches() ? matcher.group("folder") : "";
  }
}
