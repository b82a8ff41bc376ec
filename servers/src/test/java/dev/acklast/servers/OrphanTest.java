package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the servers when the JVM that started them ends. */
@EnabledOnOs(OS.LINUX)
class OrphanTest {
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir private Path folder;
  private final List<Long> children = new ArrayList<>();
  private Process jvm;

  @AfterEach
  void endJvm() throws IOException {
    jvm.destroyForcibly();
    await().atMost(SOON).untilAsserted(() -> assertThat(alive()).isEmpty());
    // JUnit deletes the folders, and whoever comes later could not do this.
    serverFolders().forEach(server -> SharedMemory.release(server.resolve("data")));
  }

  @Test
  @Tag("broker")
  void allServersDieWithAKilledJvm() throws IOException {
    start("postgres", "rabbit", "sqs");
    assertThat(children).hasSizeGreaterThan(7); // postmaster, its workers, brokers, port mapper
    jvm.destroyForcibly();
    await().atMost(SOON).untilAsserted(() -> assertThat(alive()).isEmpty());
  }

  @Test
  void frozenServersDieWithAKilledJvm() throws IOException {
    start("postgres", "freeze");
    jvm.destroyForcibly();
    await().atMost(SOON).untilAsserted(() -> assertThat(alive()).isEmpty());
  }

  @Test
  void serversAndFoldersGoWithAJvmThatEndsInOrder() throws Exception {
    start("postgres");
    assertThat(serverFolders()).hasSize(1);
    jvm.getOutputStream().close();
    assertThat(jvm.waitFor()).isZero();
    await().atMost(SOON).untilAsserted(() -> assertThat(alive()).isEmpty());
    assertThat(serverFolders()).isEmpty();
  }

  @Test
  void theNextServerDeletesWhatAKilledJvmLeftBehind() throws IOException {
    start("postgres");
    List<Path> abandoned = serverFolders();
    String segment = Segments.of(abandoned.get(0).resolve("data"));
    assertThat(Segments.all()).contains(segment);
    jvm.destroyForcibly();
    await().atMost(SOON).untilAsserted(() -> assertThat(alive()).isEmpty());
    assertThat(serverFolders()).isEqualTo(abandoned);
    ServerProcess.age(folder);

    start("postgres");
    assertThat(serverFolders()).hasSize(1).doesNotContainAnyElementsOf(abandoned);
    assertThat(Segments.all()).doesNotContain(segment);
  }

  @Test
  void theNextServerSparesWhatALivingJvmUses() throws IOException {
    start("postgres", "age", "another");
    List<Path> inUse = serverFolders();
    Process first = jvm;
    try {
      start("postgres");
      assertThat(serverFolders()).hasSize(3).containsAll(inUse);
    } finally {
      first.destroyForcibly();
    }
  }

  private void start(String... parts) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dacklast.servers=native");
    command.add("-Dacklast.servers.folder=" + folder);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ServerProcess.class.getName());
    command.addAll(List.of(parts));
    jvm = new ProcessBuilder(command).redirectError(new File(folder.toFile(), "jvm.err")).start();
    children.clear();
    BufferedReader output = jvm.inputReader();
    for (String line = output.readLine(); !"ready".equals(line); line = output.readLine()) {
      assertThat(line).as(Files.readString(folder.resolve("jvm.err"))).isNotNull();
      if (line.startsWith("pid ")) {
        children.add(Long.parseLong(line.substring(4)));
      }
    }
  }

  private List<Long> alive() {
    return children.stream().filter(OrphanTest::isAlive).toList();
  }

  /** Killed orphans may stay zombies where nobody reaps them. */
  private static boolean isAlive(long pid) {
    try {
      String status = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return !status.startsWith("Z", status.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false;
    }
  }

  private List<Path> serverFolders() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.filter(Files::isDirectory).sorted().toList();
    }
  }
}
