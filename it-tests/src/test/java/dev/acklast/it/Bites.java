package dev.acklast.it;

import dev.acklast.testkit.flaw.Flaw;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Which cases of the contract each flaw fails. */
final class Bites {
  private static final Map<Flaw, List<String>> CASES = new EnumMap<>(Flaw.class);

  private Bites() {}

  static {
    settling();
    retries();
    deadLetters();
    delivery();
    life();
  }

  static List<String> of(Flaw flaw) {
    return CASES.getOrDefault(flaw, List.of());
  }

  private static void bites(Flaw flaw, String... cases) {
    CASES.put(flaw, List.of(cases));
  }

  private static void settling() {
    bites(
        Flaw.ACKS_BEFORE_COMMIT,
        "sourceKeepsTheMessageUntilTheOutcomeIsDurable",
        "connectionsCutInTheMiddleOfWorkLoseAndDoubleNothing",
        "brokerRestartInTheMiddleOfWorkLosesAndDoublesNothing",
        "overtakenRunThatCommitsLeavesOneEffectAndNoCount",
        "overtakenRunThatRollsBackLeavesTheEffectToTheOther");
    bites(
        Flaw.ACK_NEVER_SENT,
        "ackRemovesForGoodAcrossBrokerRestart",
        "lostAckIsRedeliveredRecognisedAndAcked",
        "failingMessageTakesNoNeighbourAlong",
        "prefetchOfOneWorks",
        "fiftyCopiesAtOnceHaveOneEffect",
        "duplicateIsAckedWithoutARun",
        "secondCopyAppliesWhenTheFirstRollsBack",
        "duplicatesInsideOneBatchHaveOneEffectEach",
        "failingMessageInsideABatchTakesNobodyAlong",
        "allOfABatchFailingHaveTheirAttemptsEach",
        "keyHeldElsewhereStallsNoOtherAndCountsNothing",
        "effectsThatDeadlockEachOtherBothApply",
        "concurrentCopiesHaveOneEffectAtIsolation",
        "consumersWithTwoScopesHaveTwoEffectsAndWithOneScopeOne",
        "commitCutOffIsNeitherLostNorRepeated",
        "backendEndedBeforeTheCommitLeavesNoClaimAndNoCount",
        "startsWhileTheDatabaseIsDownAndHeals",
        "databaseOutageCountsAgainstNoMessage",
        "smallestPoolServesAllLanesWhileHalfOfTheMessagesFail",
        "exhaustedPoolIsAnOutageAndCountsAgainstNoMessage",
        "fullDiskIsAnOutageAndCountsAgainstNoMessage",
        "roleWithoutRightsToCreateIsRefusedWithTheSqlOrServedByWhatIsThere",
        "frozenBrokerThatGoesOnLosesAndDoublesNothing",
        "drainEndsInTimeWhileTheBrokerIsFrozen");
    bites(Flaw.ACKS_ON_CLOSE, "closingLeavesWhatIsUnsettledToTheBroker");
    bites(
        Flaw.APPLIES_STALE_ACKS,
        "staleSettleAfterReconnectIsLateAndDisturbsNothing",
        "settleAfterTheLeaseEndedIsLateAndDisturbsNothing");
    bites(Flaw.HIDES_LATE_SETTLES, "settlingTwiceIsAReportedNoOp");
    bites(
        Flaw.DROPS_ON_RELEASE,
        "releasedMessagesAreBackSoonAndUncounted",
        "drainLetsStartedWorkFinishAndGivesTheRestBack");
    bites(Flaw.REORDERS_ON_RELEASE, "orderIsKeptOnRelease");
    bites(Flaw.REMOVES_AFTER_DELIVERIES, "deliveriesThatNeverReachedTheHandlerCountNothing");
  }

  private static void retries() {
    bites(
        Flaw.RETRY_DOES_NOTHING,
        "attemptsAreCountedOnceAcrossInstances",
        "nothingIsLostWhileTheSourceIsMissingAsDelaysExpire",
        "nothingIsLostWhileTheSourceIsFullAsDelaysExpire",
        "successAtTheLastAttemptLeavesOneEffectAndACleanLedger",
        "redrivenDeadLetterThatFailsAgainHasAllItsAttempts");
    bites(
        Flaw.RETRY_LOSES_THE_MESSAGE,
        "attemptsGoOnAfterTheConsumerWasReplaced",
        "attemptsGoOnAfterABrokerRestart",
        "attemptsGoOnAfterAReconnect",
        "drainDuringARetrysDelayIsNoOutcome");
    bites(Flaw.RETRIES_EARLY, "retryComesNotBeforeItsDelayAndSoonAfterIt");
    bites(Flaw.RETRIES_LATE, "retryComesNotBeforeItsDelayAndSoonAfterIt");
    bites(Flaw.RETRY_LOSES_HEADERS, "messageIsUnchangedByAnyNumberOfRetries");
    bites(Flaw.RETRIES_IN_TURN, "shortDelayIsNotHeldUpByALongOne");
    bites(Flaw.RETRY_HOLDS_UP_OTHERS, "failingMessageDoesNotHoldUpHealthyOnes");
    bites(Flaw.RESETS_THE_COUNTER, "attemptsGoUpToTheLimitAndEndInADeadLetter");
  }

  private static void deadLetters() {
    bites(Flaw.DEAD_LETTER_NOT_CONFIRMED, "faultyDeadLetterQueueLosesNothingAndHeals");
    bites(Flaw.DEAD_LETTER_ACKS_AT_ONCE, "sourceKeepsTheMessageUntilItsDeathIsConfirmed");
    bites(
        Flaw.DEAD_LETTER_TWICE,
        "manyDeathsArriveOnceEach",
        "deadLetterKeepsBodyAndHeadersAndGainsOne");
    bites(Flaw.DEAD_LETTER_WITH_NEW_ID, "deadLetterWhoseAckWasLostIsNotRunAgain");
    bites(Flaw.DEATH_TAKEN_OFF, "redrivenDeadLetterStartsAtTheFirstAttempt");
    bites(
        Flaw.DEATH_REPORT_EMPTY,
        "deathTellsReasonAttemptsKeyAndNoPayload",
        "undecodableMessageIsDeadLetteredAtOnceAndUnchanged",
        "redeliveryAfterTheClaimExpiredIsDeadLetteredNotRepeated");
  }

  private static void delivery() {
    bites(Flaw.HEADERS_LOST, "textHeadersArriveAsSent", "typedHeadersArriveAsSent");
    bites(
        Flaw.PROPERTIES_LOST,
        "messageIdContentTypeAndTimestampArriveAsSent",
        "orderingKeyArrivesAsSent");
    bites(
        Flaw.BODIES_MANGLED,
        "bodyBytesArriveAsSent",
        "unicodeBodyArrivesAsSent",
        "largestBodyArrives");
    bites(Flaw.EMPTY_BODIES_DROPPED, "emptyBodyArrives");
    bites(
        Flaw.PREFETCH_IGNORED,
        "neverMoreThanPrefetchAreUnsettled",
        "eachSettleMakesRoomForOneMore");
    bites(Flaw.PREFETCH_IN_BLOCKS, "nextMessageFlowsAsSoonAsOneSettles");
    bites(
        Flaw.LOSES_SOME,
        "manyMessagesThroughSeveralInstancesTakeEffectOnce",
        "claimAndEffectCarryTheSameTransactionId");
    bites(Flaw.DELIVERS_OUT_OF_ORDER, "orderOfAKeyIsKeptAcrossRetries");
    bites(Flaw.STARVES_OTHERS, "stuckSubscriptionDoesNotStarveAnother");
  }

  private static void life() {
    bites(
        Flaw.NEVER_RECONNECTS,
        "lostAckIsRedeliveredRecognisedAndAcked",
        "connectionsCutInTheMiddleOfWorkLoseAndDoubleNothing",
        "brokerRestartInTheMiddleOfWorkLosesAndDoublesNothing");
    bites(
        Flaw.ALWAYS_UP,
        "startsWhileTheBrokerIsDownAndHeals",
        "startsWhileTheQueueIsMissingNamesItAndHeals",
        "deletedQueueShowsInHealthAndIsConsumedWhenItIsBack");
    bites(Flaw.IGNORES_PAUSE, "pausedConsumerTakesNothingUntilItIsResumed");
    bites(Flaw.HANGS_ON_CLOSE, "drainCancelsAHungHandlerAtItsDeadline");
    bites(Flaw.LEAKS_A_THREAD, "startingAndStoppingManyTimesLeavesNothingBehind");
    bites(Flaw.KEEPS_AFTER_CLOSE, "closingLeavesWhatIsUnsettledToTheBroker");
  }
}
