package dev.acklast.sqs;

import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one group that came in one receive, in order. SQS lends no more of the group
 * while one of them is lent; so order is kept if whatever stands behind a message that is lost
 * leaves with it. Of a standard queue each message is a line of its own. Thread-safe.
 */
final class Line {
  private final List<SqsAcker> members = new ArrayList<>();

  synchronized void add(SqsAcker acker) {
    members.add(acker);
  }

  /** This one is gone, and somebody else will get it. */
  void breakAfter(SqsAcker gone) {
    for (SqsAcker behind : behind(gone)) {
      behind.abandon();
    }
  }

  private synchronized List<SqsAcker> behind(SqsAcker gone) {
    int place = members.indexOf(gone);
    return List.copyOf(members.subList(place + 1, members.size()));
  }
}
