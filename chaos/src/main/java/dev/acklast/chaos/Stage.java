package dev.acklast.chaos;

import dev.acklast.servers.JavaProcess;
import dev.acklast.servers.WrongClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Everything that a run has started; closing ends all of it. Thread-safe. */
final class Stage implements AutoCloseable {
  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** Workers live in different time zones: no time of theirs may matter. */
  private static final List<String> ZONES =
      List.of("UTC", "Pacific/Kiritimati", "America/St_Johns");

  private final BrokerKind kind;
  private final Breakage breakage;
  private final Path folder;
  private final @Nullable Ballast ballast;
  private final Database database;
  private final Broker broker;
  private final Crew crew;
  private final Map<Integer, Duration> wrongClocks = new ConcurrentHashMap<>();

  private Stage(
      BrokerKind kind,
      Breakage breakage,
      Path folder,
      @Nullable Ballast ballast,
      Database database) {
    this.kind = kind;
    this.breakage = breakage;
    this.folder = folder;
    this.ballast = ballast;
    this.database = database;
    this.broker = kind.start();
    this.crew = new Crew(this::program, folder);
  }

  /**
   * Starts the servers, and no worker yet.
   *
   * @param folder of the run: logs and journals
   */
  static Stage build(BrokerKind kind, Breakage breakage, Path folder)
      throws IOException, InterruptedException {
    Ballast ballast = Ballast.mount(folder.resolve("disk"));
    Database database = null;
    try {
      database = Database.start(ballast == null ? null : ballast.disk());
      return new Stage(kind, breakage, folder, ballast, database);
    } catch (RuntimeException e) {
      if (database != null) {
        database.close();
      }
      if (ballast != null) {
        ballast.close();
      }
      throw e;
    }
  }

  private JavaProcess.Program program(int worker) {
    Map<String, String> environment = new HashMap<>();
    environment.put(Worker.KIND, kind.label());
    environment.put(Worker.NAME, Crew.name(worker));
    environment.put(Worker.FOLDER, folder.toAbsolutePath().toString());
    environment.put(Worker.BREAKAGE, breakage.label());
    environment.putAll(database.addresses(worker));
    environment.putAll(broker.addresses(worker));
    Duration ahead = wrongClocks.get(worker);
    if (ahead != null) {
      environment.putAll(WrongClock.environment(ahead));
    }
    List<String> options = new java.util.ArrayList<>(JVM_OPTIONS);
    options.add("-Duser.timezone=" + ZONES.get(worker % ZONES.size()));
    return new JavaProcess.Program(Worker.class.getName(), List.of(), environment, options);
  }

  BrokerKind kind() {
    return kind;
  }

  Path folder() {
    return folder;
  }

  Database database() {
    return database;
  }

  Broker broker() {
    return broker;
  }

  Crew crew() {
    return crew;
  }

  /** The small disk of the database; null if there is none. */
  @Nullable Ballast ballast() {
    return ballast;
  }

  /** How far a worker's clock is ahead, from its next start on. */
  void wrongClock(int worker, Duration ahead) {
    wrongClocks.put(worker, ahead);
  }

  /** Its next start has the right clock again. */
  void rightClock(int worker) {
    wrongClocks.remove(worker);
  }

  String describe() {
    return database.server()
        + (ballast == null ? "" : " on a small disk")
        + "; "
        + broker.describe();
  }

  @Override
  public void close() {
    crew.close();
    broker.close();
    database.close();
    if (ballast != null) {
      ballast.close();
    }
  }
}
