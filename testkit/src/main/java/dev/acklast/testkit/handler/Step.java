package dev.acklast.testkit.handler;

/** Where on a message's way the tester lets a consumer die, in the order of the way. */
enum Step {
  RECEIVED("when the message had been received", false),
  CLAIMED("after the claim, before the handler ran", false),
  EFFECT_DONE("after the handler had returned", false),
  BEFORE_COMMIT("before the commit reached the database", false),
  AFTER_COMMIT("after the commit, before its answer was seen", true),
  COMMITTED("after the commit, before the ack", true),
  SETTLED("after the ack", true);

  final String words;

  /** Whether claim and effect are in the database by then. */
  final boolean durable;

  Step(String words, boolean durable) {
    this.words = words;
    this.durable = durable;
  }
}
