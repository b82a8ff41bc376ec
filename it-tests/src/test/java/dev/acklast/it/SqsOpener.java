package dev.acklast.it;

import dev.acklast.spi.Source;
import dev.acklast.sqs.SqsSource;
import dev.acklast.testkit.contract.SourceOpener;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Opens a queue of the tests' SQS, which asks for no real credentials, in a child JVM. */
final class SqsOpener implements SourceOpener {
  static final Duration VISIBILITY = Duration.ofSeconds(3);

  @Override
  public Source open(String uri, String queue) {
    return configured(client(uri), queue);
  }

  static SqsClient client(String uri) {
    return SqsClient.builder()
        .endpointOverride(URI.create(uri))
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .build();
  }

  /** As short as tests want it. */
  static SqsSource configured(SqsClient client, String queue) {
    return SqsSource.queue(client, queue)
        .visibilityTimeout(VISIBILITY)
        .longPoll(Duration.ofSeconds(1));
  }
}
