package dev.acklast.runner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.Driver;

/** What a configuration file says. */
record RunnerConfig(DatabaseConfig database, List<ConsumerConfig> consumers) {
  private static final int LARGEST_POOL = 1000;
  private static final int SPARE_CONNECTIONS = 2;

  /**
   * Reads and checks a file without connecting to anything.
   *
   * @throws ConfigException if the file cannot be used
   */
  static RunnerConfig load(Path path, Variables.Lookup environment) {
    Section file = new YamlFile(path, new Variables(environment)).read().section(Block.FILE);
    Section database = file.require("database").section(Block.DATABASE);
    Value consumers = file.require("consumers");
    List<ConsumerConfig> read = new ArrayList<>();
    for (Map.Entry<String, Value> entry : consumers.entries().entrySet()) {
      read.add(ConsumerReader.read(entry.getKey(), entry.getValue()));
    }
    if (read.isEmpty()) {
      throw consumers.error("must have at least one entry");
    }
    return new RunnerConfig(database(database, read), List.copyOf(read));
  }

  private static DatabaseConfig database(Section database, List<ConsumerConfig> consumers) {
    Value url = database.require("url");
    if (Driver.parseURL(url.text(), null) == null) {
      throw url.error("must look like jdbc:postgresql://host:5432/database");
    }
    Value user = database.find("user");
    Value password = database.find("password");
    Value schema = database.find("schema");
    Value create = database.find("create-tables");
    DatabaseConfig read =
        new DatabaseConfig(
            url.text(),
            user == null ? null : user.text(),
            password == null ? null : password.text(),
            schema == null ? null : schema.text(),
            create == null || create.flag(),
            database.isOn("accept-asynchronous-commit"),
            poolSize(database, consumers));
    for (ConsumerConfig consumer : consumers) {
      if (schema != null) {
        schema.give(schema.text(), consumer.builder()::schema);
      }
      consumer.builder().createTables(read.createTables());
      if (read.acceptAsynchronousCommit()) {
        consumer.builder().acceptAsynchronousCommit();
      }
    }
    return read;
  }

  private static int poolSize(Section database, List<ConsumerConfig> consumers) {
    int least = SPARE_CONNECTIONS + consumers.stream().mapToInt(ConsumerConfig::lanes).sum();
    Value stated = database.find("pool-size");
    if (stated == null) {
      return least;
    }
    int size = stated.integer();
    if (size < 1 || size > LARGEST_POOL) {
      throw stated.error("must be 1 to " + LARGEST_POOL + ", not " + size);
    }
    if (size < least) {
      throw stated.error(
          "must be at least "
              + least
              + ": one connection for each lane of all consumers, and two more; raise it, or lower"
              + " concurrency");
    }
    return size;
  }
}
