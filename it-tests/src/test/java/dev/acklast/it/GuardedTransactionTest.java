package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.Handler;
import dev.acklast.MessageTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of the transaction is not the handler's. */
class GuardedTransactionTest {
  @RegisterExtension private final Stage stage = new Stage();

  /** One way for a handler to end the transaction. */
  record Ending(String name, Handler<Object> attempt) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Ending> endings() {
    return Stream.of(
        new Ending("connection.commit", (order, tx) -> tx.connection().commit()),
        new Ending("connection.rollback", (order, tx) -> tx.connection().rollback()),
        new Ending("connection.close", (order, tx) -> tx.connection().close()),
        new Ending("connection.abort", (order, tx) -> tx.connection().abort(Runnable::run)),
        new Ending("setAutoCommit(true)", (order, tx) -> tx.connection().setAutoCommit(true)),
        new Ending("handle.begin", (order, tx) -> tx.handle().begin()),
        new Ending("handle.commit", (order, tx) -> tx.handle().commit()),
        new Ending("handle.rollback", (order, tx) -> tx.handle().rollback()),
        new Ending(
            "handle.getConnection.commit", (order, tx) -> tx.handle().getConnection().commit()),
        new Ending(
            "statement.getConnection.commit",
            (order, tx) -> tx.connection().createStatement().getConnection().commit()),
        new Ending(
            "metaData.getConnection.commit",
            (order, tx) -> tx.connection().getMetaData().getConnection().commit()),
        new Ending(
            "unwrap.commit", (order, tx) -> tx.connection().unwrap(Connection.class).commit()),
        new Ending("sql commit", (order, tx) -> tx.handle().execute("commit")),
        new Ending(
            "sql rollback after another statement",
            (order, tx) ->
                tx.connection().createStatement().execute("select 1; rollback and chain")),
        new Ending(
            "sql end in a batch", (order, tx) -> tx.handle().createBatch().add("END").execute()),
        new Ending(
            "sql prepare transaction",
            (order, tx) -> tx.connection().prepareStatement("prepare transaction 'x'")));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void refusesToEndTheTransactionAndSaysWhatToDoInstead(Ending ending) {
    List<Throwable> refusals = new CopyOnWriteArrayList<>();
    stage.start(
        stage
            .consumer()
            .batchSize(1)
            .maxAttempts(1)
            .apply(
                (order, tx) -> {
                  Stage.inserting().apply(order, tx);
                  try {
                    ending.attempt().apply(order, tx);
                  } catch (Exception e) {
                    refusals.add(e);
                    throw e;
                  }
                }));
    stage.publish("ends");
    stage.awaitDead(1);
    stage.awaitEmptySource();
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("refused")
        .hasMessageContaining("throw an exception");
    assertThat(stage.database.effects()).isZero();
    assertThat(stage.database.claims()).isZero();
  }

  @ParameterizedTest
  @MethodSource("endings")
  void transactionGoesOnAfterARefusalThatTheHandlerSwallows(Ending ending) {
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  Stage.inserting().apply(order, tx);
                  assertThatThrownBy(() -> ending.attempt().apply(order, tx))
                      .isInstanceOf(IllegalStateException.class);
                  tx.connection().createStatement().execute("insert into effect values ('b', 0)");
                }));
    stage.publish("goes-on");
    stage.awaitEffects(2);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(2);
    assertThat(stage.database.number("select count(distinct xmin::text) from effect")).isEqualTo(1);
  }

  @Test
  void nestedJdbiTransactionsJoinAndOtherIsolationIsRefused() {
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  Handle handle = tx.handle();
                  handle.useTransaction(
                      outer -> outer.useTransaction(inner -> Stage.inserting().apply(order, tx)));
                  handle.useTransaction(
                      handle.getTransactionIsolationLevel(),
                      same -> same.execute("insert into effect values ('same level', 0)"));
                  refusal.set(
                      thrownBy(
                          () ->
                              handle.useTransaction(
                                  TransactionIsolationLevel.SERIALIZABLE, other -> {})));
                  if (tx.attempt() == 1) {
                    throw new IllegalStateException("rolls the nested ones back too");
                  }
                }));
    stage.publish("nested");
    stage.awaitEffects(2);
    stage.awaitEmptySource();
    assertThat(refusal.get()).hasMessageContaining("SERIALIZABLE");
    assertThat(stage.database.column("select n from effect where id = 'nested'"))
        .containsExactly("2");
    assertThat(stage.database.number("select count(distinct xmin::text) from effect")).isEqualTo(1);
  }

  @Test
  void savepointsUndoAPartOfTheEffectThroughJdbiAndThroughJdbc() {
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  insert(tx, "kept");
                  tx.handle().savepoint("before");
                  insert(tx, "undone through Jdbi");
                  assertThatThrownBy(() -> tx.handle().execute("insert into nowhere values (1)"))
                      .isNotNull();
                  tx.handle().rollbackToSavepoint("before");
                  Savepoint savepoint = tx.connection().setSavepoint();
                  insert(tx, "undone through JDBC");
                  tx.connection().rollback(savepoint);
                  insert(tx, "kept too");
                }));
    stage.publish("partly");
    stage.awaitEffects(2);
    stage.awaitEmptySource();
    assertThat(stage.database.column("select id from effect order by id"))
        .containsExactly("kept", "kept too");
  }

  @Test
  void closingTheHandleClosesItsStatementsAndNothingElse() {
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  try (Handle handle = tx.handle()) {
                    handle.execute("insert into effect values ('before', 0)");
                  }
                  tx.handle().execute("insert into effect values ('after', 0)");
                  if (tx.attempt() == 1) {
                    throw new IllegalStateException("rolls back both");
                  }
                }));
    stage.publish("closes");
    stage.awaitEffects(2);
    stage.awaitEmptySource();
    assertThat(stage.database.column("select id from effect order by id"))
        .containsExactly("after", "before");
  }

  @Test
  void failedStatementThatTheHandlerSwallowsIsAFailedAttemptAndNoSilentRollback() {
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  Stage.inserting().apply(order, tx);
                  if (tx.key().equals("swallows")) {
                    assertThatThrownBy(() -> tx.handle().execute("select 1/0")).isNotNull();
                  }
                }));
    stage.publishMany("good", 10);
    stage.publish("swallows");
    stage.awaitDead(1);
    stage.awaitEffects(10);
    stage.awaitEmptySource();
    assertThat(stage.database.effects("swallows")).isZero();
    assertThat(stage.database.effects()).isEqualTo(10);
    assertThat(stage.heard.lines()).contains("failed swallows 3").noneMatch("failed good"::equals);
  }

  @Test
  void handleIsUselessOnceTheHandlerHasReturned() {
    AtomicReference<MessageTransaction> kept = new AtomicReference<>();
    stage.start(stage.consumer().apply((order, tx) -> kept.set(tx)));
    stage.publish("kept");
    stage.awaitEmptySource();
    assertThatThrownBy(() -> kept.get().handle()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.get().connection().createStatement())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void connectionKeptFromAnEarlierMessageIsRefusedWhileAnotherUsesIt() {
    Map<String, Connection> kept = new ConcurrentHashMap<>();
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    stage.start(
        stage
            .consumer()
            .concurrency(1)
            .apply(
                (order, tx) -> {
                  kept.put(tx.key(), tx.connection());
                  if (tx.key().equals("second")) {
                    refusal.set(thrownBy(() -> kept.get("first").createStatement()));
                  }
                  Stage.inserting().apply(order, tx);
                }));
    stage.publish("first");
    stage.awaitEffects(1);
    stage.publish("second");
    stage.awaitEffects(2);
    assertThat(refusal.get()).isInstanceOf(IllegalStateException.class);
  }

  private static Throwable thrownBy(ThrowingCallable code) {
    return org.assertj.core.api.Assertions.catchThrowable(code);
  }

  private static void insert(MessageTransaction tx, String id) throws SQLException {
    try (var statement = tx.connection().prepareStatement("insert into effect values (?, 0)")) {
      statement.setString(1, id);
      statement.executeUpdate();
    }
  }
}
