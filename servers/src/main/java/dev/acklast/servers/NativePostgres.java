package dev.acklast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** PostgreSQL as a child process, on loopback, with a data folder of its own. */
final class NativePostgres {
  private static final Duration INITDB_LIMIT = Duration.ofMinutes(1);

  private final ServerFolder folder = ServerFolder.create("postgres");
  private final Path programs = PostgresBinaries.folder();
  private final UnprivilegedUser user;
  private final Map<String, String> settings;
  private final int port = FreePort.next();

  private NativePostgres(Map<String, String> settings, UnprivilegedUser user) {
    this.settings = new LinkedHashMap<>(settings);
    this.user = user;
  }

  /** A new, empty server; not started yet. */
  static PostgresServer create(Map<String, String> settings, UnprivilegedUser user) {
    NativePostgres postgres = new NativePostgres(settings, user);
    NativeEngine engine =
        new NativeEngine(
            "PostgreSQL, native on 127.0.0.1:" + postgres.port,
            postgres.folder,
            postgres::launch,
            "INT"); // the fast shutdown: clients are sent away, the checkpoint is written
    String password = Passwords.random();
    try {
      postgres.initialise(password);
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
    String url = "jdbc:postgresql://127.0.0.1:" + postgres.port + "/postgres";
    return new PostgresServer(engine, new PostgresEndpoint(url, "postgres", password));
  }

  private void initialise(String password) {
    Path passwordFile = folder.write("password", password);
    setPrivate(passwordFile);
    user.own(folder.path());
    List<String> command = new ArrayList<>(user.wrapper());
    command.add(programs.resolve("bin/initdb").toString());
    command.addAll(List.of("-D", data(), "-U", "postgres", "--pwfile", passwordFile.toString()));
    // What must survive here is a killed process, not a power cut while the cluster is made.
    command.addAll(List.of("-A", "scram-sha-256", "-E", "UTF8", "--no-locale", "--no-sync"));
    // Passwords are random, so nobody can guess them: many rounds would only cost time.
    command.addAll(List.of("--set", "scram_iterations=1"));
    ShellCommand.Result result = ShellCommand.run(INITDB_LIMIT, command);
    if (!result.succeeded()) {
      throw new IllegalStateException("PostgreSQL's initdb failed:\n" + result.output());
    }
    delete(passwordFile);
  }

  private ChildProcess launch() {
    List<String> command = new ArrayList<>();
    command.add(programs.resolve("bin/postgres").toString());
    command.addAll(List.of("-D", data(), "-p", Integer.toString(port), "-k", ""));
    command.addAll(List.of("-c", "listen_addresses=127.0.0.1"));
    // Files in the data folder, which go with it; what is in /dev/shm outlives a killed server.
    command.addAll(List.of("-c", "dynamic_shared_memory_type=mmap"));
    settings.forEach((key, value) -> command.addAll(List.of("-c", key + "=" + value)));
    return ChildProcess.start(user.wrapper(), command, System.getenv(), folder.log());
  }

  private String data() {
    return folder.data().toString();
  }

  private static void setPrivate(Path file) {
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
