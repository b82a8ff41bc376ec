package dev.acklast.servers;

import static dev.acklast.servers.RabbitEndpoint.encode;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A running RabbitMQ server with its management plugin, obtained from {@link Servers}.
 *
 * <p>Wait 2 s after declaring a quorum queue before killing the server: a younger one may come back
 * empty. A quorum queue may show no messages for half a second after a restart.
 */
public final class RabbitServer extends Server {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration ALARM_LIMIT = Duration.ofSeconds(20);

  private final BrokerEngine engine;
  private final RabbitEndpoint endpoint;
  private final ManagementApi management;
  private final VirtualHost mainHost;

  RabbitServer(BrokerEngine engine, RabbitEndpoint endpoint, ManagementApi management) {
    super(engine, START_LIMIT);
    this.engine = engine;
    this.endpoint = endpoint;
    this.management = management;
    this.mainHost = new VirtualHost(endpoint, management);
  }

  /** The main virtual host's AMQP URI, with credentials: not to be logged. */
  public String amqpUri() {
    return endpoint.uri();
  }

  /** The management API's and user interface's base URI, without credentials. */
  public String managementUri() {
    return management.uri();
  }

  /** The administrator's name. */
  public String user() {
    return endpoint.user();
  }

  /** The administrator's password. */
  public String password() {
    return endpoint.password();
  }

  /** The host of the AMQP port. */
  public String host() {
    return endpoint.host();
  }

  /** The AMQP port, 1 to 65535; the same after every restart. */
  public int port() {
    return endpoint.port();
  }

  /** A new factory for connections to the main virtual host. */
  public ConnectionFactory connectionFactory() {
    return endpoint.connectionFactory();
  }

  /** The virtual host that the server came with; it must not be closed. */
  public VirtualHost mainVirtualHost() {
    return mainHost;
  }

  /**
   * Creates a virtual host, or takes the one of that name, with all rights for {@link #user()}.
   *
   * @param name as {@link Servers#uniqueName} makes them, or any other
   */
  public VirtualHost virtualHost(String name) {
    management.put("/api/vhosts/" + encode(name), Map.of());
    management.put(
        "/api/permissions/" + encode(name) + "/" + encode(user()),
        Map.of("configure", ".*", "write", ".*", "read", ".*"));
    return new VirtualHost(endpoint.withVirtualHost(name), management);
  }

  /** {@link VirtualHost#queue} of the main virtual host. */
  public QueueState queue(String name) {
    return mainHost.queue(name);
  }

  /** {@link VirtualHost#createUser} of the main virtual host. */
  public String createUser(
      String name, String password, String configure, String write, String read) {
    return mainHost.createUser(name, password, configure, write, read);
  }

  /** {@link VirtualHost#setPolicy} of the main virtual host. */
  public void setPolicy(String name, String pattern, Map<String, ?> definition, String applyTo) {
    mainHost.setPolicy(name, pattern, definition, applyTo);
  }

  /** {@link VirtualHost#closeAllConnections} of the main virtual host. */
  public int closeAllConnections() {
    return mainHost.closeAllConnections();
  }

  /**
   * Runs {@code rabbitmqctl}; a call takes 1 to 2 s.
   *
   * @return what it printed
   * @throws IllegalStateException if it fails; the message has its output
   */
  public String rabbitmqctl(String... arguments) {
    return engine.rabbitmqctl(List.of(arguments));
  }

  /**
   * Raises or lifts the memory alarm, under which the broker reads from no connection that
   * publishes, and returns when it is in force.
   */
  public void memoryAlarm(boolean raised) {
    String limit = raised ? "1MB" : NativeRabbit.MEMORY_LIMIT;
    rabbitmqctl("set_vm_memory_high_watermark", "absolute", limit);
    int wanted = raised ? 503 : 200;
    if (!Pause.until(() -> management.status("/api/health/checks/alarms") == wanted, ALARM_LIMIT)) {
      throw new IllegalStateException(
          this + " did not " + (raised ? "raise" : "lift") + " its memory alarm");
    }
  }

  /** The ports open before the boot is complete. */
  @Override
  void launched() {
    engine.rabbitmqctl(List.of("await_startup", "--timeout", "60"));
  }

  /** Starts for the first time, and leaves nothing behind if that fails. */
  RabbitServer started() {
    startOrClose(() -> {});
    return this;
  }

  @Override
  void answers() throws Exception {
    management.get("/api/overview");
    ConnectionFactory factory = connectionFactory();
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(5000);
    try (Connection connection = factory.newConnection("readiness")) {
      connection.createChannel().close();
    }
  }
}
