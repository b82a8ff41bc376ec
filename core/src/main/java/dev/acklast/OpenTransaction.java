package dev.acklast;

import dev.acklast.spi.Envelope;
import java.sql.Connection;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The transaction as one run of a handler sees it. Its handle is made when first asked for. */
final class OpenTransaction implements MessageTransaction, AutoCloseable {
  private final EffectHandles handles;
  private final Connection connection;
  private final Message<?> message;
  private @Nullable Handle handle;
  private boolean open = true;

  OpenTransaction(EffectHandles handles, Connection connection, Message<?> message) {
    this.handles = handles;
    this.connection = GuardedConnection.of(connection, this::isOpen);
    this.message = message;
  }

  boolean isOpen() {
    return open;
  }

  @Override
  public Handle handle() {
    if (!open) {
      throw GuardedConnection.over();
    }
    if (handle == null || handle.isClosed()) {
      handle = handles.openOn(this);
    }
    return handle;
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Envelope envelope() {
    return message.envelope();
  }

  @Override
  public String key() {
    return message.key();
  }

  @Override
  public int attempt() {
    return message.attempt();
  }

  @Override
  public String idempotencyKey() {
    return message.idempotencyKey();
  }

  /** Ends the handler's view; closes the statements that the handler left open. */
  @Override
  public void close() {
    open = false;
    if (handle != null) {
      handle.close();
    }
  }
}
