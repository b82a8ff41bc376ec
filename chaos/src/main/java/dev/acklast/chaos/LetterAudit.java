package dev.acklast.chaos;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold of dead letters, attempts and deaths. */
final class LetterAudit {
  private static final int MAX_ATTEMPTS = Workload.MAX_ATTEMPTS;

  private final Evidence evidence;
  private final Map<String, List<Letter>> letters;
  private final List<Finding> findings;
  private final List<String> races;

  LetterAudit(
      Evidence evidence,
      Map<String, List<Letter>> letters,
      List<Finding> findings,
      List<String> races) {
    this.evidence = evidence;
    this.letters = letters;
    this.findings = findings;
    this.races = races;
  }

  void run() {
    for (Letter letter : evidence.letters()) {
      isWhatWasPublished(letter);
    }
    letters.forEach(
        (key, copies) -> evidence.workload().find(key).ifPresent(plan -> isDue(plan, copies)));
    evidence.witnesses().halts().forEach(this::killsFew);
    deathsHaveLetters();
  }

  private void isWhatWasPublished(Letter letter) {
    String key = letter.key();
    Optional<Intent> planned = key == null ? Optional.empty() : evidence.workload().find(key);
    if (key == null || planned.isEmpty() || evidence.publications().of(key).atMost() == 0) {
      findings.add(new Finding(Breach.UNEXPECTED_LETTER, key, "nobody has published it"));
      return;
    }
    if (!Arrays.equals(letter.body(), planned.get().body())) {
      add(Breach.LETTER_ALTERED, key, "its body is not the one that was published");
    }
    if (letter.death() == null) {
      add(Breach.LETTER_ALTERED, key, "it has no report of its death");
    }
  }

  private void isDue(Intent planned, List<Letter> copies) {
    List<Letter.Death> deaths = deaths(copies);
    if (planned.fate().applies()) {
      isARace(planned, deaths);
      return;
    }
    hasOneDeath(planned, copies);
    for (Letter.Death death : deaths) {
      if (isLimit(death)) {
        races.add(planned.key() + " was put aside by the broker's limit of deliveries");
        continue;
      }
      if (!death.reason().equals(planned.fate().deathReason())) {
        add(Breach.WRONG_REASON, planned.key(), death + " instead of " + planned.fate());
      }
      attempts(planned, death);
    }
  }

  /**
   * A message that was to be applied may be dead only after all of its attempts, which a resend may
   * follow that succeeds.
   */
  private void isARace(Intent planned, List<Letter.Death> deaths) {
    boolean applied = evidence.books().effects().containsKey(planned.key());
    boolean due = deaths.stream().allMatch(death -> death.attempts() >= MAX_ATTEMPTS);
    if (!deaths.isEmpty() && deaths.stream().allMatch(this::isLimit)) {
      races.add(planned.key() + " was put aside by the broker's limit of deliveries");
    } else if (applied && due && !deaths.isEmpty()) {
      races.add(planned.key() + " was applied, and " + deaths);
    } else {
      add(Breach.UNEXPECTED_LETTER, planned.key(), "it was to be applied: " + deaths);
    }
  }

  /** Share groups deliver a record a limited number of times, whatever becomes of it. */
  private boolean isLimit(Letter.Death death) {
    return evidence.workload().limitedDeliveries() && death.reason().equals("DELIVERY_LIMIT");
  }

  /** Copies of a body without a key are messages of their own; other copies share one death. */
  private void hasOneDeath(Intent planned, List<Letter> copies) {
    Set<String> ids = new HashSet<>();
    deaths(copies).forEach(death -> ids.add(death.id()));
    int most =
        planned.fate() == Fate.UNDECODABLE
            ? Math.max(1, evidence.publications().of(planned.key()).atMost())
            : 1;
    if (ids.size() > most) {
      add(Breach.TWO_DEATHS, planned.key(), "death ids " + ids);
    }
  }

  private void attempts(Intent planned, Letter.Death death) {
    Publications.Tries tries = evidence.publications().of(planned.key());
    int most =
        switch (planned.fate()) {
          case UNDECODABLE, STALE -> 0;
          // A copy that arrives as the first of its kind runs before anybody looks at the count,
          // and a process may end before it has counted its run and noted what follows.
          case REFUSED -> tries.atMost() + evidence.witnesses().cutShort(planned.key());
          default -> MAX_ATTEMPTS + tries.atMost() - 1;
        };
    int least =
        switch (planned.fate()) {
          case UNDECODABLE, STALE -> 0;
          case REFUSED -> 1;
          default -> MAX_ATTEMPTS;
        };
    if (death.attempts() < least || death.attempts() > most) {
      String text = death.attempts() + " attempts instead of " + least + " to " + most;
      add(Breach.WRONG_ATTEMPTS, planned.key(), text);
    }
    int runs = evidence.witnesses().runsOf(planned.key());
    // One more: a process may die between its mark and the first line of its handler.
    if (death.attempts() > runs + 1) {
      String text = death.attempts() + " attempts, but its handler has begun " + runs + " times";
      add(Breach.ATTEMPTS_WITHOUT_RUNS, planned.key(), text);
    }
  }

  /** One unmarked death and one under a batch's mark for each copy, the others are counted. */
  private void killsFew(String key, int deaths) {
    int most = MAX_ATTEMPTS + 2 * Math.max(1, evidence.publications().of(key).atMost());
    if (deaths > most) {
      add(Breach.TOO_MANY_DEATHS, key, deaths + " processes instead of at most " + most);
    }
  }

  private void deathsHaveLetters() {
    Set<String> ids = new HashSet<>();
    deaths(evidence.letters()).forEach(death -> ids.add(death.id()));
    for (Books.LedgerRow row : evidence.books().ledger()) {
      if (row.deathId() != null && !ids.contains(row.deathId())) {
        add(Breach.DEATH_WITHOUT_LETTER, row.key(), "death " + row.deathId() + " is on record");
      }
    }
  }

  private static List<Letter.Death> deaths(List<Letter> letters) {
    Set<Letter.Death> deaths = new LinkedHashSet<>();
    for (Letter letter : letters) {
      Letter.Death death = letter.death();
      if (death != null) {
        deaths.add(death);
      }
    }
    return List.copyOf(deaths);
  }

  private void add(Breach breach, String key, String text) {
    findings.add(new Finding(breach, key, text));
  }
}
