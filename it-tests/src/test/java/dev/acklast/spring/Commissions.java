package dev.acklast.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.annotation.Transactional;

/** A repository as users write them. */
@Transactional
class Commissions {
  @PersistenceContext private @Nullable EntityManager entities;

  void add(String saleId, String seller) {
    entities().persist(new Commission(saleId, seller));
  }

  void refuse(String reason) {
    throw new IllegalStateException(reason);
  }

  private EntityManager entities() {
    return java.util.Objects.requireNonNull(entities);
  }
}
