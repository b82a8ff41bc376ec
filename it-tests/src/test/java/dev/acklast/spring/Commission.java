package dev.acklast.spring;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An effect as an entity. */
@Entity
@Table(name = "commission")
class Commission {
  @Id
  @Column(name = "sale_id")
  private String saleId = "";

  @Column(name = "seller")
  private String seller = "";

  protected Commission() {}

  Commission(String saleId, String seller) {
    this.saleId = saleId;
    this.seller = seller;
  }
}
