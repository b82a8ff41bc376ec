/** Amazon SQS as a source of an Acklast consumer. */
@SuppressWarnings("requires-transitive-automatic") // the SDK has names, but no module-info
module dev.acklast.sqs {
  exports dev.acklast.sqs;

  requires transitive dev.acklast.core;
  requires transitive software.amazon.awssdk.services.sqs;
  requires software.amazon.awssdk.awscore;
  requires software.amazon.awssdk.core;
  requires com.fasterxml.jackson.databind;
  requires org.slf4j;
}
