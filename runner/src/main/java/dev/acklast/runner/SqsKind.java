package dev.acklast.runner;

import dev.acklast.sqs.SqsSource;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/** Queues of Amazon SQS, with the credentials of the usual chain: environment, profile, role. */
final class SqsKind implements SourceKind {

  @Override
  public Configured read(Value value, @Nullable Value deadLetter) {
    Section section = value.section(Block.SQS);
    if (deadLetter != null) {
      throw deadLetter.error("must be the name of a queue: SQS has no exchanges");
    }
    List<String> queues = QueueNames.of(section);
    Value names =
        section.find("queue") == null ? section.require("queues") : section.require("queue");
    SqsClient client = client(section);
    SqsSource source = names.parse(queues, given -> SqsSource.queues(client, given));
    return new Configured(options(section, source), () -> findings(client, queues));
  }

  /** Lives as long as the process. */
  private static SqsClient client(Section section) {
    SqsClientBuilder builder = SqsClient.builder();
    Value region = section.find("region");
    if (region != null) {
      builder.region(Region.of(region.text()));
    }
    Value endpoint = section.find("endpoint");
    if (endpoint != null) {
      builder.endpointOverride(address(endpoint));
    }
    try {
      return builder.build();
    } catch (SdkException e) {
      throw section.error("has no region: state the key region, or set AWS_REGION");
    }
  }

  private static URI address(Value value) {
    try {
      URI uri = URI.create(value.text());
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http && uri.getHost() != null && uri.getUserInfo() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Its text quotes the address, which may hold a password.
    }
    throw value.error("must look like http://localhost:9324 or https://…, without credentials");
  }

  private static SqsSource options(Section section, SqsSource source) {
    SqsSource result = QueueNames.withoutTopology(section) ? source.topologyNone() : source;
    result = section.isOn("unwrap-sns") ? result.unwrapSns() : result;
    Value visibility = section.find("visibility-timeout");
    if (visibility != null) {
      result = visibility.parse(visibility.duration(), result::visibilityTimeout);
    }
    Value longPoll = section.find("long-poll");
    if (longPoll != null) {
      result = longPoll.parse(longPoll.duration(), result::longPoll);
    }
    Value polls = section.find("polls");
    return polls == null ? result : polls.parse(polls.integer(), result::polls);
  }

  private static List<String> findings(SqsClient client, List<String> queues) {
    List<String> findings = new ArrayList<>();
    for (String queue : queues) {
      try {
        String url =
            queue.contains("/")
                ? queue
                : client
                    .getQueueUrl(get -> get.queueName(queue.substring(queue.lastIndexOf(':') + 1)))
                    .queueUrl();
        client.getQueueAttributes(get -> get.queueUrl(url).attributeNamesWithStrings("QueueArn"));
      } catch (AwsServiceException e) {
        String code = e.awsErrorDetails() == null ? "" : e.awsErrorDetails().errorCode();
        findings.add("the queue " + queue + " cannot be used: " + code);
      } catch (SdkException e) {
        findings.add("SQS cannot be reached: " + e.getMessage());
      }
    }
    return findings;
  }
}
