package dev.acklast.kafka;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Says what is wrong with the broker, and what to do. */
final class Diagnosis {
  private Diagnosis() {}

  /** The exception itself, without those that only carry it. */
  static Throwable bare(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean carries =
        failure instanceof CompletionException || failure instanceof ExecutionException;
    return carries && cause != null ? bare(cause) : failure;
  }

  /** What hinders consuming or asking. Kafka's own texts name topics, groups and hosts alone. */
  static String of(Throwable failure, String servers) {
    Throwable bare = bare(failure);
    if (bare instanceof FencedInstanceIdException) {
      return "another consumer has joined the group with the same group.instance.id: give each its"
          + " own, or none, and start this one again";
    }
    if (bare instanceof TopicAuthorizationException denied) {
      return "Kafka does not let us use the topics "
          + denied.unauthorizedTopics()
          + ": grant READ and DESCRIBE on what is consumed, WRITE and DESCRIBE on the dead-letter"
          + " topic";
    }
    if (bare instanceof GroupAuthorizationException denied) {
      return "Kafka does not let us into the group '" + denied.groupId() + "': grant READ on it";
    }
    if (bare instanceof ClusterAuthorizationException) {
      return "Kafka refuses: " + bare.getMessage() + ": grant what docs/adapters/kafka.md lists";
    }
    if (bare instanceof AuthenticationException) {
      return "Kafka at " + servers + " refused the credentials: correct them";
    }
    if (bare instanceof UnsupportedVersionException) {
      return "Kafka at " + servers + " is too old for what is configured: " + bare.getMessage();
    }
    if (bare instanceof TimeoutException) {
      return "Kafka at " + servers + " does not answer: start it, or correct bootstrap.servers";
    }
    return "Kafka at " + servers + ": " + text(bare);
  }

  /** Why a dead letter was not confirmed. */
  static String ofDeadLetter(Throwable failure, String topic, long bytes) {
    Throwable bare = bare(failure);
    String what = "the dead-letter topic '" + topic + "' ";
    if (bare instanceof RecordTooLargeException) {
      return what
          + "does not take a record of "
          + bytes
          + " bytes: raise its max.message.bytes, or max.request.size of the client";
    }
    if (bare instanceof InvalidRecordException) {
      return what
          + "refuses the record, as a compacted topic refuses one without a key: name a topic with"
          + " cleanup.policy=delete";
    }
    if (bare instanceof UnknownTopicOrPartitionException) {
      return what + "is missing: create it, or name another one";
    }
    if (bare instanceof TopicAuthorizationException) {
      return what + "may not be used: grant WRITE and DESCRIBE on it, or CREATE if it is missing";
    }
    if (bare instanceof TimeoutException) {
      return what + "has not confirmed in time: look at its partitions and their replicas";
    }
    return what + "failed: " + text(bare);
  }

  private static String text(Throwable failure) {
    if (failure.getCause() instanceof ConfigException setting) {
      return text(setting);
    }
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }
}
