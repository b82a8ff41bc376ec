package dev.acklast.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must hold when all is drained: every confirmed publish is an effect or a dead letter, no key
 * has two effects, and nothing else is left. Holds the evidence of one run against its plan.
 */
final class Audit {
  private final Evidence evidence;
  private final Map<String, List<Letter>> letters;
  private final List<Finding> findings = new ArrayList<>();
  private final List<String> races = new ArrayList<>();

  private Audit(Evidence evidence) {
    this.evidence = evidence;
    this.letters = evidence.lettersByKey();
  }

  /**
   * The outcome.
   *
   * @param findings every breach
   * @param races keys with an effect and a dead letter, where the design allows both
   */
  record Report(Verdict verdict, List<Finding> findings, List<String> races) {}

  /**
   * Checks everything.
   *
   * @param faults how many were injected, for the verdict
   */
  static Report of(Evidence evidence, int faults) {
    return new Audit(evidence).run(faults);
  }

  private Report run(int faults) {
    everyConfirmedPublishHasAnEnd();
    new EffectAudit(evidence, findings).run();
    new LetterAudit(evidence, letters, findings, races).run();
    nothingIsLeft();
    findings.addAll(evidence.remarks());
    return new Report(verdict(faults), List.copyOf(findings), List.copyOf(races));
  }

  private void everyConfirmedPublishHasAnEnd() {
    Set<String> applied = evidence.books().effects().keySet();
    evidence
        .publications()
        .byKey()
        .forEach(
            (key, tries) -> {
              if (tries.confirmed() > 0 && !applied.contains(key) && !letters.containsKey(key)) {
                String text =
                    "confirmed " + tries.confirmed() + " times; no effect, no dead letter";
                findings.add(new Finding(Breach.LOST, key, text));
              }
            });
  }

  private void nothingIsLeft() {
    Residue residue = evidence.residue();
    if (residue.ready() + residue.unsettled() > 0) {
      String text = residue.ready() + " wait, " + residue.unsettled() + " are unsettled";
      findings.add(new Finding(Breach.SOURCE_LEFT, null, text));
    }
    if (residue.delayed() > 0) {
      findings.add(new Finding(Breach.DELAYED_LEFT, null, residue.delayed() + " wait for a retry"));
    }
    for (Books.LedgerRow row : evidence.books().ledger()) {
      if (row.deathId() == null) {
        String text = "attempts " + row.attempts() + " in scope " + row.scope();
        findings.add(new Finding(Breach.LEDGER_LEFT, row.key(), text));
      }
    }
  }

  private Verdict verdict(int faults) {
    Publications publications = evidence.publications();
    long published = publications.confirmed();
    return new Verdict(
        published,
        evidence.books().effects().size(),
        published - publications.confirmedKeys(),
        letters.size(),
        count(Breach.LOST),
        count(Breach.DOUBLED),
        findings.stream().filter(finding -> finding.breach().isStuck()).count(),
        faults,
        findings.size());
  }

  private long count(Breach breach) {
    return findings.stream().filter(finding -> finding.breach() == breach).count();
  }
}
