package dev.acklast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit passes a run that went well, and finds each kind of breach in one that did not. */
class BreachTest {
  @TempDir Path folder;
  private Scenery run;

  @BeforeEach
  void aRunThatWentWell() throws Exception {
    run = new Scenery(folder);
  }

  private Set<Breach> breaches() throws Exception {
    EnumSet<Breach> found = EnumSet.noneOf(Breach.class);
    run.audit().findings().forEach(finding -> found.add(finding.breach()));
    return found;
  }

  private void write(String file, String line) throws Exception {
    Files.writeString(folder.resolve(file), line + "\n", StandardOpenOption.APPEND);
  }

  @Test
  void passesARunThatWentWell() throws Exception {
    Audit.Report report = run.audit();
    assertThat(report.findings()).isEmpty();
    assertThat(report.races()).isEmpty();
    Verdict verdict = report.verdict();
    assertThat(verdict.line())
        .matches(
            "verdict: PASS published=\\d+ applied=\\d+ duplicates=\\d+ dead-lettered=\\d+"
                + " lost=0 doubled=0 stuck=0 faults=3");
    assertThat(verdict.applied() + verdict.deadLettered()).isEqualTo(Scenery.INTENTS);
    assertThat(verdict.published() - verdict.duplicates()).isEqualTo(Scenery.INTENTS);
    assertThat(verdict.duplicates()).isPositive();
    for (Fate fate : Fate.values()) {
      assertThat(run.any(fate)).isNotNull();
    }
  }

  @Test
  void publishOfUnknownOutcomeMayArriveOrNot() throws Exception {
    Intent arrived = run.workload.intent(Scenery.INTENTS);
    run.execute(Effects.TRANSFER, Effects.arguments(arrived, 1, "worker-1"));
    assertThat(breaches()).containsExactly(Breach.EFFECT_WITHOUT_CLAIM);
    run.execute(
        "insert into acklast_claim(scope, key, txid) select 'chaos', key, txid from effect where key = ?",
        arrived.key());
    assertThat(breaches()).isEmpty();
  }

  @Test
  void findsALostMessageAndTellsItsHistory() throws Exception {
    Intent lost = run.any(Fate.FLAKY);
    run.execute("delete from effect where key = ?", lost.key());
    run.execute("delete from acklast_claim where key = ?", lost.key());
    run.execute(
        "update account set balance = balance + ? where id = ?", lost.amount(), lost.debit());
    run.execute(
        "update account set balance = balance - ? where id = ?", lost.amount(), lost.credit());
    assertThat(breaches()).containsExactly(Breach.LOST);
    assertThat(run.audit().verdict().line()).startsWith("verdict: FAIL ").contains(" lost=1 ");
    write("worker-1.journal", "1 worker-1 received " + lost.key() + " m first");
    assertThat(run.historyOf(lost.key()).get(lost.key()))
        .anyMatch(line -> line.contains("confirmed " + lost.key()))
        .anyMatch(line -> line.contains("received"));
  }

  @Test
  void findsALostDeadLetter() throws Exception {
    run.letters.removeIf(letter -> run.any(Fate.POISON).key().equals(letter.key()));
    assertThat(breaches()).containsExactly(Breach.LOST);
  }

  @Test
  void findsADoubledEffect() throws Exception {
    Intent intent = run.any(Fate.TRANSFER);
    run.execute(Effects.TRANSFER, Effects.arguments(intent, 1, "worker-2"));
    assertThat(breaches()).contains(Breach.DOUBLED);
    assertThat(run.audit().verdict().doubled()).isEqualTo(1);
    assertThat(run.historyOf(intent.key()).get(intent.key()))
        .filteredOn(line -> line.contains("worker=worker-"))
        .hasSize(2);
  }

  @Test
  void findsAClaimWithoutEffect() throws Exception {
    run.execute("insert into acklast_claim(scope, key) values ('chaos', 'transfer-0-x')");
    assertThat(breaches()).containsExactly(Breach.CLAIM_WITHOUT_EFFECT);
  }

  @Test
  void findsAnEffectWithoutClaim() throws Exception {
    run.execute("delete from acklast_claim where key = ?", run.any(Fate.TRANSFER).key());
    assertThat(breaches()).containsExactly(Breach.EFFECT_WITHOUT_CLAIM);
  }

  @Test
  void findsAClaimCommittedApartFromItsEffect() throws Exception {
    run.execute("update acklast_claim set txid = '1' where key = ?", run.any(Fate.TRANSFER).key());
    assertThat(breaches()).containsExactly(Breach.CLAIM_APART);
  }

  @Test
  void findsAnEffectOfAnotherAmount() throws Exception {
    run.execute(
        "update effect set amount = amount + 1 where key = ?", run.any(Fate.TRANSFER).key());
    assertThat(breaches()).contains(Breach.EFFECT_ALTERED, Breach.BALANCE);
  }

  @Test
  void findsABalanceThatIsNotTheSumOfItsEffects() throws Exception {
    run.execute("update account set balance = balance + 1 where id = 3");
    assertThat(breaches()).containsExactly(Breach.BALANCE);
  }

  @Test
  void findsEffectsThatNobodyAskedFor() throws Exception {
    run.execute(
        "update effect set key = 'transfer-999999' where key = ?", run.any(Fate.TRANSFER).key());
    assertThat(breaches()).contains(Breach.UNEXPECTED_EFFECT);
  }

  @Test
  void findsPoisonThatWasApplied() throws Exception {
    run.execute(Effects.TRANSFER, Effects.arguments(run.any(Fate.POISON), 5, "worker-1"));
    assertThat(breaches()).contains(Breach.UNEXPECTED_EFFECT);
  }

  @Test
  void findsADeadLetterOfAMessageThatWasToBeApplied() throws Exception {
    run.letters.add(run.letter(run.any(Fate.FLAKY), "id", "MAX_ATTEMPTS", 3));
    assertThat(breaches()).containsExactly(Breach.UNEXPECTED_LETTER);
  }

  @Test
  void listsAnEffectBesideADeathThatWasDueAsARace() throws Exception {
    Intent both = run.any(Fate.FLAKY);
    run.letters.add(run.letter(both, "id", "MAX_ATTEMPTS", Workload.MAX_ATTEMPTS));
    assertThat(breaches()).isEmpty();
    assertThat(run.audit().races()).singleElement().asString().contains(both.key());
  }

  @Test
  void findsADeadLetterOfNobody() throws Exception {
    run.letters.add(new Letter(null, null, new byte[0], null));
    assertThat(breaches()).containsExactly(Breach.UNEXPECTED_LETTER);
  }

  @Test
  void copiesOfOneDeathAreOneDeadLetter() throws Exception {
    long before = run.audit().verdict().deadLettered();
    run.letters.add(run.letter(run.any(Fate.POISON), Workload.MAX_ATTEMPTS));
    assertThat(breaches()).isEmpty();
    assertThat(run.audit().verdict().deadLettered()).isEqualTo(before);
  }

  @Test
  void findsTwoDeathsOfOneMessage() throws Exception {
    run.letters.add(run.letter(run.any(Fate.POISON), "another", "MAX_ATTEMPTS", 5));
    assertThat(breaches()).containsExactly(Breach.TWO_DEATHS);
  }

  @Test
  void findsADeadLetterWithAnotherBodyOrWithoutReport() throws Exception {
    Intent intent = run.any(Fate.STALE);
    run.replaceLetter(intent, new Letter(intent.key(), "m", new byte[] {1}, null));
    assertThat(run.audit().findings())
        .extracting(Finding::breach)
        .containsExactly(Breach.LETTER_ALTERED, Breach.LETTER_ALTERED);
  }

  @Test
  void findsAnotherReasonThanPlanned() throws Exception {
    Intent intent = run.any(Fate.POISON);
    run.replaceLetter(intent, run.letter(intent, "id", "DELIVERY_LIMIT", 5));
    assertThat(breaches()).containsExactly(Breach.WRONG_REASON);
  }

  @Test
  void findsOtherAttemptsThanPlanned() throws Exception {
    Intent intent = run.any(Fate.POISON);
    for (int attempts : List.of(4, 6)) {
      run.replaceLetter(intent, run.letter(intent, attempts));
      assertThat(breaches()).containsExactly(Breach.WRONG_ATTEMPTS);
    }
  }

  @Test
  void findsAttemptsThatWereNoRuns() throws Exception {
    Path journal = folder.resolve("worker-1.journal");
    String poison = " " + run.any(Fate.POISON).key() + " ";
    List<String> lines = Files.readAllLines(journal);
    List<String> kept = lines.stream().filter(line -> !line.contains(poison)).toList();
    Files.write(journal, kept);
    assertThat(breaches()).containsExactly(Breach.ATTEMPTS_WITHOUT_RUNS);
  }

  @Test
  void findsAMessageThatKillsTooOften() throws Exception {
    String key = run.any(Fate.KILLER).key();
    write("worker-1.journal", "1 worker-1 halt " + key + " m ");
    assertThat(breaches()).containsExactly(Breach.TOO_MANY_DEATHS);
  }

  @Test
  void findsADeathOnRecordWithoutLetter() throws Exception {
    run.execute(
        "insert into acklast_attempt(scope, key, attempts, dead_at, death_id)"
            + " values ('chaos', ?, 5, now(), 'gone')",
        run.any(Fate.POISON).key());
    assertThat(breaches()).containsExactly(Breach.DEATH_WITHOUT_LETTER);
  }

  @Test
  void findsWhatIsLeftBehind() throws Exception {
    run.execute(
        "insert into acklast_attempt(scope, key, attempts) values ('chaos', ?, 1)",
        run.any(Fate.FLAKY).key());
    run.residue = new Residue(0, 2, 1);
    run.remarks.add(new Finding(Breach.NOT_DRAINED, null, "61 s"));
    assertThat(breaches())
        .containsExactlyInAnyOrder(
            Breach.LEDGER_LEFT, Breach.SOURCE_LEFT, Breach.DELAYED_LEFT, Breach.NOT_DRAINED);
    assertThat(run.audit().verdict().stuck()).isEqualTo(4);
  }

  @Test
  void takesOverWhatTheConsumersDidWrong() throws Exception {
    run.remarks.add(new Finding(Breach.CONSUMER_FAULT, null, "exit code 1"));
    assertThat(breaches()).containsExactly(Breach.CONSUMER_FAULT);
    assertThat(run.audit().verdict().passes()).isFalse();
  }

  @Test
  void leavesAsideClaimsThatAreOnlyThereToBePurged() throws Exception {
    run.execute("insert into acklast_claim(scope, key) values ('chaos', 'bygone-1')");
    assertThat(breaches()).isEmpty();
  }
}
