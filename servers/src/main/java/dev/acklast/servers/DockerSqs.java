package dev.acklast.servers;

import java.util.List;
import org.testcontainers.localstack.LocalStackContainer;

/** SQS of LocalStack, as a container. */
final class DockerSqs {
  /** Later images were reported to need a token. */
  private static final String IMAGE = "localstack/localstack:4.9.2";

  private static final int PORT = 4566;

  private DockerSqs() {}

  /** A new server without queues; not started yet. */
  static SqsServer create() {
    SqsEndpoint endpoint = SqsEndpoint.loopback(FreePort.next());
    LocalStackContainer container =
        new LocalStackContainer(IMAGE)
            .withServices("sqs")
            .withEnv("PERSISTENCE", "1")
            .withEnv("SQS_ENDPOINT_STRATEGY", "dynamic"); // URLs name the host of the request
    container.setPortBindings(List.of(DockerEngine.binding(endpoint.port(), PORT)));
    return new SqsServer(
        new DockerEngine(container, "SQS, container " + IMAGE + " on 127.0.0.1:" + endpoint.port()),
        endpoint);
  }
}
