package dev.acklast.servers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The addresses of one private RabbitMQ node, all on loopback, and its configuration. */
record RabbitNode(int amqpPort, int managementPort, int distributionPort, int epmdPort) {

  static RabbitNode onFreePorts() {
    return new RabbitNode(FreePort.next(), FreePort.next(), FreePort.next(), FreePort.next());
  }

  String name() {
    return "acklast-" + amqpPort + "@localhost";
  }

  /**
   * The whole environment of the broker and of its command line tool. Nothing is inherited: a
   * variable that a user has set for a broker of their own would lead ours there.
   */
  Map<String, String> environment(ServerFolder folder) {
    String base = folder.path().toString();
    Map<String, String> environment = new LinkedHashMap<>();
    String path = System.getenv().getOrDefault("PATH", "");
    environment.put("PATH", path + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
    environment.put("HOME", base); // where Erlang looks for its cookie
    environment.put("LANG", "C.UTF-8");
    // With this the start script becomes the broker instead of waiting for it: its process is ours.
    environment.put("RUNNING_UNDER_SYSTEMD", "true");
    environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
    environment.put("RABBITMQ_NODENAME", name());
    environment.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
    environment.put("RABBITMQ_NODE_PORT", Integer.toString(amqpPort));
    environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
    environment.put("RABBITMQ_MNESIA_BASE", base + "/data");
    environment.put("RABBITMQ_LOG_BASE", base + "/log");
    environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", base + "/enabled_plugins");
    environment.put("RABBITMQ_CONFIG_FILE", base + "/rabbitmq.conf");
    environment.put("RABBITMQ_PID_FILE", base + "/broker.pid");
    environment.put("RABBITMQ_GENERATED_CONFIG_DIR", base + "/generated");
    environment.put("ERL_CRASH_DUMP_SECONDS", "0"); // none: they are large, and the log says why
    environment.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
    environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    // The ticks are how often consumer_timeout is looked at and quorum queues tell their numbers;
    // rabbitmq.conf has no keys for them.
    environment.put(
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
        "-kernel inet_dist_use_interface {127,0,0,1} -rabbit channel_tick_interval 1000"
            + " -rabbit quorum_tick_interval 1000"
            + " -rabbit dead_letter_worker_publisher_confirm_timeout 3000"
            + " +S 2:2 +sbwt none");
    return environment;
  }

  /** {@code rabbitmq.conf}; the caller's options come last and so win. */
  String configuration(String user, String password, RabbitOptions options) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("default_user", user);
    lines.put("default_pass", password);
    lines.put("management.tcp.ip", "127.0.0.1");
    lines.put("management.tcp.port", Integer.toString(managementPort));
    lines.put("log.console", "true");
    lines.put("log.console.level", "warning");
    lines.put("log.file", "false");
    lines.put("disk_free_limit.absolute", "50MB");
    lines.put("vm_memory_high_watermark.absolute", NativeRabbit.MEMORY_LIMIT);
    lines.putAll(settings(options));
    StringBuilder text = new StringBuilder();
    lines.forEach((key, value) -> text.append(key).append(" = ").append(value).append('\n'));
    return text.toString();
  }

  /** What a broker of any kind is given: fresh numbers for tests, and the caller's options. */
  static Map<String, String> settings(RabbitOptions options) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("collect_statistics_interval", "500");
    for (String sample : List.of("global", "basic", "detailed")) { // else five seconds old
      lines.put("management.sample_retention_policies." + sample + ".minute", "1");
    }
    options
        .consumerTimeout()
        .ifPresent(timeout -> lines.put("consumer_timeout", Long.toString(timeout.toMillis())));
    lines.putAll(options.configuration());
    return lines;
  }
}
