package dev.acklast.servers;

import java.nio.file.Path;
import java.util.List;

/** ElasticMQ as a child process, on loopback, with its messages in a database of its own. */
final class NativeSqs {
  private NativeSqs() {}

  /** A new server without queues; not started yet. */
  static SqsServer create() {
    JavaLibraries libraries = JavaLibraries.of("elasticmq");
    ServerFolder folder = ServerFolder.create("elasticmq");
    SqsEndpoint endpoint = SqsEndpoint.loopback(FreePort.next());
    Path configuration = folder.write("elasticmq.conf", configuration(folder, endpoint));
    List<String> command =
        libraries.command(
            List.of("-Xmx256m", "-Dconfig.file=" + configuration), "org.elasticmq.server.Main");
    return new SqsServer(
        new NativeEngine(
            "SQS, ElasticMQ on 127.0.0.1:" + endpoint.port(),
            folder,
            () -> ChildProcess.start(List.of(), command, System.getenv(), folder.log()),
            "TERM"),
        endpoint);
  }

  /**
   * Queue URLs name whatever host a request named, so that they lead through a proxy too. What is
   * acknowledged is on disk: without {@code WRITE_DELAY=0} a kill loses the last half second.
   */
  private static String configuration(ServerFolder folder, SqsEndpoint endpoint) {
    return String.format(
        """
        node-address { protocol = "http", host = "*", port = %1$d, context-path = "" }
        rest-sqs { bind-hostname = "127.0.0.1", bind-port = %1$d, sqs-limits = strict }
        rest-stats { enabled = false }
        aws { region = "%2$s", accountId = "000000000000" }
        messages-storage {
          enabled = true
          driver-class = "org.h2.Driver"
          uri = "jdbc:h2:%3$s/messages;WRITE_DELAY=0"
        }
        pekko { loglevel = "WARNING" }
        """,
        endpoint.port(), endpoint.region(), folder.path());
  }
}
