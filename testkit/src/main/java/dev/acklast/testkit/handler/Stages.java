package dev.acklast.testkit.handler;

import dev.acklast.spi.Envelope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What a consumer is put through, stage by stage: from the plainest fault to the rarest, so that
 * the first one found is the one to mend first. For one thread.
 */
final class Stages {
  private static final int COPIES = 4;
  private static final int INSTANCES = 2;
  private static final long SHUFFLE = 1;

  private final Setup setup;

  /** How the effect must look after so many messages. */
  private final List<Effect.State> expected = new ArrayList<>();

  /** How many statements the handler executes for each message. */
  private final List<Integer> statements = new ArrayList<>();

  Stages(Setup setup) {
    this.setup = setup;
  }

  void run() throws Exception {
    undisturbed();
    resent();
    for (Step step : Step.values()) {
      dying(step);
    }
    losingCommit(Step.BEFORE_COMMIT);
    losingCommit(Step.AFTER_COMMIT);
    refusedStatements();
    copiesAtOnce();
    if (!setup.inOrder()) {
      allAtOnce();
    }
  }

  /** Each message once: that is how it must look in the end, whatever happens. */
  private void undisturbed() throws Exception {
    expected.addAll(cleanRun(true));
    if (expected.get(0).equals(expected.get(expected.size() - 1))) {
      throw Findings.invisible();
    }
    List<Effect.State> again = cleanRun(false);
    for (Sample sample : setup.samples()) {
      if (!again.get(sample.number()).equals(expected.get(sample.number()))) {
        throw Findings.differentEachTime(
            sample, again.get(sample.number()).against(expected.get(sample.number())));
      }
    }
  }

  private List<Effect.State> cleanRun(boolean first) throws Exception {
    List<Effect.State> states = new ArrayList<>();
    try (Lab lab = new Lab(setup)) {
      states.add(lab.look());
      lab.start(Trouble.none());
      if (lab.journal.connections.get() == 0) {
        throw Findings.otherDatabase();
      }
      for (Sample sample : setup.samples()) {
        int before = lab.journal.statements.size();
        lab.publish(List.of(sample.message()));
        lab.awaitSettled("While " + sample + " was delivered once, undisturbed");
        states.add(lab.look());
        if (first) {
          statements.add(lab.journal.statements.size() - before);
        }
      }
    }
    return states;
  }

  /** One delivery after the other, of one intention. */
  private void resent() throws Exception {
    for (Sample sample : setup.samples()) {
      try (Lab lab = new Lab(setup)) {
        lab.start(Trouble.none());
        applyBefore(sample, lab);
        lab.journal.keys.clear();
        lab.publish(List.of(sample.message()));
        lab.awaitSettled("While " + sample + " was delivered once, undisturbed");
        Envelope again = sample.resent(1, setup.resends() == Setup.Resends.SAME_ID);
        lab.publish(List.of(again));
        lab.awaitSettled("While " + sample + " was delivered a second time");
        if (lab.journal.keys.size() > 1) {
          throw Findings.changingKey(sample, lab.journal.keys, again.messageId());
        }
        Effect.State state = lab.look();
        if (!state.equals(expectedAfter(sample))) {
          throw Findings.writesOutsideHandler(
              sample + " was delivered twice, and its handler ran once",
              state.against(expectedAfter(sample)));
        }
      }
    }
  }

  /** The process ends at a step, and another one gets the message. */
  private void dying(Step step) throws Exception {
    boolean met = false;
    try (Lab lab = new Lab(setup)) {
      for (Sample sample : setup.samples()) {
        Instance victim = lab.start(Trouble.deathAt(step));
        lab.publish(List.of(sample.message()));
        lab.awaitTrouble(victim, Trouble.Kind.DEATH);
        if (victim.isDead()) {
          met = true;
          checkRemains(step, sample, lab);
        }
        String what = "%s, and the process died %s".formatted(sample, step.words);
        recover(what + "; another process took over", sample, lab, victim);
      }
    }
    requireMet(met, step);
  }

  /** What a dead process has left, before anybody goes on with it. */
  private void checkRemains(Step step, Sample sample, Lab lab) throws Exception {
    Effect.State wanted = expectedAfter(step.durable ? sample.number() : sample.number() - 1);
    Effect.State state = lab.look();
    if (!state.equals(wanted)) {
      throw Findings.remains(
          step, sample, state.against(wanted), lab.journal.ownConnections.get() > 0);
    }
  }

  /** The connection is lost with the commit, and the process lives on. */
  private void losingCommit(Step step) throws Exception {
    boolean met = false;
    try (Lab lab = new Lab(setup)) {
      for (Sample sample : setup.samples()) {
        Instance instance = lab.start(Trouble.lostConnectionAt(step));
        lab.publish(List.of(sample.message()));
        lab.awaitTrouble(instance, Trouble.Kind.LOST_CONNECTION);
        settle(
            "%s, and the connection was lost %s; the process ran it again"
                .formatted(sample, step.words),
            sample,
            lab);
        met |= instance.hasMetTrouble();
        instance.close();
      }
    }
    requireMet(met, step);
  }

  /** A filter may leave out some messages, but a stage that disturbs none has tested nothing. */
  private static void requireMet(boolean met, Step step) {
    if (!met) {
      throw new IllegalStateException(
          "no message could be disturbed "
              + step.words
              + ": let transactions commit through the data source that the function is given");
    }
  }

  /** The database refuses one statement of the handler, each in its turn. */
  private void refusedStatements() throws Exception {
    for (Sample sample : setup.samples()) {
      for (int number = 1; number <= statements.get(sample.number() - 1); number++) {
        try (Lab lab = new Lab(setup)) {
          Instance calm = lab.start(Trouble.none());
          applyBefore(sample, lab);
          calm.close();
          lab.journal.statements.clear();
          lab.start(Trouble.failedStatement(number));
          lab.publish(List.of(sample.message()));
          lab.awaitSettled("After the database had refused statement " + number + " of " + sample);
          Effect.State state = lab.look();
          if (!state.equals(expectedAfter(sample))) {
            throw Findings.goesOnAfterFailure(
                sample,
                "statement %d (%s)".formatted(number, lab.journal.statements.get(number - 1)),
                state.against(expectedAfter(sample)));
          }
        }
      }
    }
  }

  /** One intention several times at once, in two processes. */
  private void copiesAtOnce() throws Exception {
    try (Lab lab = new Lab(setup)) {
      startSeveral(lab, Trouble.none());
      for (Sample sample : setup.samples()) {
        List<Envelope> copies = new ArrayList<>();
        for (int time = 0; time < COPIES; time++) {
          copies.add(sample.resent(time, time < 2 || setup.resends() == Setup.Resends.SAME_ID));
        }
        lab.publish(copies);
        settle("%s came %d times at once to two processes".formatted(sample, COPIES), sample, lab);
      }
    }
  }

  private void allAtOnce() throws Exception {
    try (Lab lab = new Lab(setup)) {
      startSeveral(lab, Trouble.overlap());
      List<Envelope> all = new ArrayList<>();
      for (Sample sample : setup.samples()) {
        all.add(sample.message());
        all.add(sample.resent(1, setup.resends() == Setup.Resends.SAME_ID));
      }
      Collections.shuffle(all, new Random(SHUFFLE));
      lab.publish(all);
      lab.awaitSettled("While all messages came twice at once to two processes");
      Effect.State wanted = expected.get(expected.size() - 1);
      if (!lab.look().equals(wanted)) {
        throw Findings.disturbEachOther(lab.look().against(wanted));
      }
    }
  }

  private static void startSeveral(Lab lab, Trouble trouble) {
    for (int i = 0; i < INSTANCES; i++) {
      lab.start(trouble);
    }
  }

  private void applyBefore(Sample sample, Lab lab) throws Fault {
    for (Sample earlier : setup.samples().subList(0, sample.number() - 1)) {
      lab.publish(List.of(earlier.message()));
      lab.awaitSettled("While " + earlier + " was delivered once, undisturbed");
    }
  }

  private void recover(String what, Sample sample, Lab lab, Instance victim) throws Exception {
    try (Instance heir = lab.start(Trouble.none())) {
      settle(what, sample, lab);
    } finally {
      if (!victim.isDead()) {
        victim.close();
      }
    }
  }

  private void settle(String what, Sample sample, Lab lab) throws Exception {
    lab.awaitSettled(what);
    Effect.State state = lab.look();
    Effect.State wanted = expectedAfter(sample);
    if (!state.equals(wanted)) {
      throw Findings.wrongInTheEnd(what, state.against(wanted), state.lacks(wanted));
    }
  }

  private Effect.State expectedAfter(Sample sample) {
    return expectedAfter(sample.number());
  }

  private Effect.State expectedAfter(int messages) {
    return expected.get(messages);
  }
}
