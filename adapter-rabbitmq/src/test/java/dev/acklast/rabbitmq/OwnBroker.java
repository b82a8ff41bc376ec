package dev.acklast.rabbitmq;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Tests that do to their broker what no other test may see: one for each class. */
@Tag("broker")
abstract class OwnBroker {
  static RabbitServer server;
  Rig rig;
  final RecordingSink sink = new RecordingSink();

  @BeforeAll
  static void startServer() {
    server = Servers.rabbit();
    assumeTrue(server.canRestart(), "the broker is not ours to stop");
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @BeforeEach
  void setUp() throws Exception {
    rig = Rig.on(server);
  }

  @AfterEach
  void tearDown() throws Exception {
    rig.close();
  }
}
