package dev.acklast;

import dev.acklast.spi.Envelope;
import java.util.List;

/** Several keys as one, such that different parts never make the same text. */
final class JoinedKey<T> extends Key<T> {
  private final List<Key<? super T>> parts;

  JoinedKey(List<? extends Key<? super T>> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a joined key needs at least one part");
    }
    this.parts = List.copyOf(parts);
  }

  @Override
  String find(T payload, Envelope envelope) throws InvalidMessageException {
    if (parts.size() == 1) {
      return parts.get(0).read(payload, envelope);
    }
    StringBuilder whole = new StringBuilder();
    for (Key<? super T> part : parts) {
      if (whole.length() > 0) {
        whole.append('|');
      }
      whole.append(escape(part.read(payload, envelope)));
    }
    return whole.toString();
  }

  @Override
  Key<T> alongside(Decoder<?> decoder) {
    return new JoinedKey<>(
        parts.stream().<Key<? super T>>map(part -> part.alongside(decoder)).toList());
  }

  private static String escape(String part) {
    return part.replace("\\", "\\\\").replace("|", "\\|");
  }
}
