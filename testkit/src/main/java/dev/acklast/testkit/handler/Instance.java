package dev.acklast.testkit.handler;

import dev.acklast.AcklastListener;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.DeathReason;
import dev.acklast.IdempotentConsumer;
import dev.acklast.MessageInfo;
import dev.acklast.spi.Health;
import dev.acklast.spi.Source;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/**
 * One process of the consumer, with one trouble to meet. Its death is the end of all its
 * connections, to broker and database, and of the thread on which it happens: that thread stands
 * still until the stage is over. Threads that do something else, and what the handler reaches by
 * ways of its own, live on: a process of the operating system would end those too.
 */
final class Instance implements AutoCloseable {
  private static final int ATTEMPTS = 20;
  private static final Duration DELAY = Duration.ofMillis(20);
  private static final Duration DRAIN = Duration.ofSeconds(5);

  /** As PostgreSQL answers to whoever waited too long for a lock. */
  private static final String REFUSAL =
      "do $$ begin raise exception 'refused by the handler tester' using errcode = '55P03'; end $$";

  /** Where a thread is on a message's way. */
  private enum Place {
    ELSEWHERE,
    IN_HANDLER,
    BEFORE_COMMIT
  }

  private final Trouble trouble;
  private final Journal journal;
  private final MortalDatabase database;
  private final MortalSource source;
  private final IdempotentConsumer consumer;
  private final AtomicBoolean met = new AtomicBoolean();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ThreadLocal<Place> place = ThreadLocal.withInitial(() -> Place.ELSEWHERE);
  private final ThreadLocal<Integer> statements = ThreadLocal.withInitial(() -> 0);
  private volatile boolean dead;

  Instance(
      BiFunction<Source, DataSource, ConsumerBuilder<?>> author,
      Source source,
      DataSource database,
      Trouble trouble,
      Journal journal) {
    this.trouble = trouble;
    this.journal = journal;
    this.source = new MortalSource(source);
    this.database = new MortalDatabase(database, new Watch());
    DataSource watched = this.database.dataSource();
    ConsumerBuilder<?> builder =
        author
            .apply(this.source, watched)
            .source(this.source)
            .database(watched)
            .schema(Lab.SCHEMA)
            .createTables(true)
            .acceptAsynchronousCommit()
            .maxAttempts(ATTEMPTS)
            .backoff(Backoff.fixed(DELAY))
            .listener(new Ear());
    boolean overlap = trouble.kind() == Trouble.Kind.OVERLAP;
    this.consumer = (overlap ? builder.batchSize(1) : builder).build();
  }

  void start() {
    consumer.start();
  }

  /** Whether it has met its trouble. */
  boolean hasMetTrouble() {
    return met.get();
  }

  boolean isDead() {
    return dead;
  }

  Health health() {
    return consumer.health();
  }

  @Override
  public void close() {
    over.countDown();
    consumer.drain(dead ? Duration.ZERO : DRAIN);
  }

  private boolean meets(Trouble.Kind kind, Step step) {
    return trouble.kind() == kind && trouble.step() == step && met.compareAndSet(false, true);
  }

  private void reach(Step step) {
    if (meets(Trouble.Kind.DEATH, step)) {
      die();
    }
  }

  private void die() {
    database.die();
    source.die();
    dead = true;
    boolean interrupted = false;
    while (over.getCount() > 0) {
      try {
        over.await();
      } catch (InterruptedException e) {
        interrupted = true; // who is dead hears nothing
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Watch implements MortalDatabase.Observer {
    @Override
    public void connecting() {
      journal.connections.incrementAndGet();
      if (place.get() == Place.IN_HANDLER) {
        journal.ownConnections.incrementAndGet();
      }
    }

    @Override
    public void executing(Connection connection, String sql) throws SQLException {
      if (place.get() != Place.IN_HANDLER || sql.contains("acklast_")) {
        return;
      }
      journal.statements.add(sql);
      statements.set(statements.get() + 1);
      if (trouble.statement() == statements.get() && met.compareAndSet(false, true)) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(REFUSAL);
        }
      }
    }

    @Override
    public void committing(Connection connection, MortalDatabase.Commit commit) throws Throwable {
      if (place.get() != Place.BEFORE_COMMIT) {
        commit.carryOut();
        return;
      }
      place.set(Place.ELSEWHERE);
      interfere(connection, Step.BEFORE_COMMIT);
      commit.carryOut();
      interfere(connection, Step.AFTER_COMMIT);
    }

    private void interfere(Connection connection, Step step) throws SQLException {
      if (meets(Trouble.Kind.DEATH, step)) {
        die();
        throw MortalDatabase.lost();
      }
      if (meets(Trouble.Kind.LOST_CONNECTION, step)) {
        MortalDatabase.end(connection);
        throw MortalDatabase.lost();
      }
    }
  }

  private final class Ear implements AcklastListener {
    @Override
    public void received(MessageInfo message) {
      reach(Step.RECEIVED);
    }

    @Override
    public void claimed(MessageInfo message) {
      hearKey(message);
      reach(Step.CLAIMED);
      statements.set(0);
      place.set(Place.IN_HANDLER);
    }

    @Override
    public void duplicate(MessageInfo message) {
      hearKey(message);
    }

    private void hearKey(MessageInfo message) {
      String key = message.key();
      if (key != null) {
        journal.keys.add(key);
      }
    }

    @Override
    public void effectDone(MessageInfo message, Duration took) {
      place.set(Place.BEFORE_COMMIT);
      reach(Step.EFFECT_DONE);
      if (trouble.kind() == Trouble.Kind.OVERLAP) {
        journal.meetAnother();
      }
    }

    @Override
    public void committed(MessageInfo message) {
      reach(Step.COMMITTED);
    }

    @Override
    public void settled(MessageInfo message) {
      reach(Step.SETTLED);
    }

    @Override
    public void attemptFailed(MessageInfo message, int attempts, Throwable failure) {
      place.set(Place.ELSEWHERE);
      journal.failed(failure);
    }

    @Override
    public void rerun(MessageInfo message) {
      place.set(Place.ELSEWHERE);
    }

    @Override
    public void deadLettered(MessageInfo message, DeathReason reason) {
      journal.deadLetters.incrementAndGet();
    }
  }
}
