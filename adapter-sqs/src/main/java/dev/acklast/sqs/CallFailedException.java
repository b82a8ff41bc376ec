package dev.acklast.sqs;

import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * A call to the service failed. The message is a sentence for people: it names queue and action,
 * and holds no payload and no credentials. The cause is the SDK's exception.
 */
final class CallFailedException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_TEXT = 300;

  private CallFailedException(String sentence, RuntimeException cause) {
    super(sentence, cause);
  }

  static CallFailedException of(String action, QueueName queue, RuntimeException cause) {
    return new CallFailedException("queue '" + queue + "': " + sentence(action, cause), cause);
  }

  /** Whether the queue is missing, or whoever asks may not know of it. */
  boolean isQueueMissing() {
    return getCause() instanceof QueueDoesNotExistException;
  }

  /** Whether the service may have done what it was asked to do. */
  boolean isUnknown() {
    return getCause() instanceof SdkClientException;
  }

  private static String sentence(String action, RuntimeException cause) {
    if (cause instanceof QueueDoesNotExistException) {
      return "it does not exist in the client's region and account: create it, or correct its name";
    }
    if (cause instanceof AwsServiceException service) {
      return refusal(action, service);
    }
    if (cause instanceof ApiCallTimeoutException
        || cause instanceof ApiCallAttemptTimeoutException) {
      return "SQS does not answer sqs:" + action + " in time";
    }
    String text = String.valueOf(cause.getMessage());
    String told = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
    return "sqs:" + action + " cannot be called: " + told;
  }

  /** Told by the error's code, since its text may repeat what was sent. */
  private static String refusal(String action, AwsServiceException refused) {
    String code = refused.awsErrorDetails() == null ? "" : refused.awsErrorDetails().errorCode();
    if (code.contains("AccessDenied")) {
      return "the client's credentials may not call sqs:"
          + action
          + " on it ("
          + code
          + "): allow that in its policies";
    }
    if (code.contains("OverLimit")) {
      return "SQS lends no more of it, as too many messages are in flight (OverLimit): settle them,"
          + " or lower the prefetch";
    }
    if (refused.isThrottlingException()) {
      return "SQS throttles sqs:" + action + " (" + code + ")";
    }
    return "SQS refuses sqs:" + action + ": " + code + ", HTTP status " + refused.statusCode();
  }
}
