/** Message consumers whose effects land in the database exactly once. */
module dev.acklast.core {
  exports dev.acklast;
  exports dev.acklast.metrics;
  exports dev.acklast.spi;

  requires transitive java.sql;
  requires transitive org.jdbi.v3.core;
  requires transitive com.fasterxml.jackson.databind;
  requires transitive org.jspecify;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires com.fasterxml.jackson.datatype.jsr310;
  requires org.postgresql.jdbc;
  requires org.slf4j;
  requires static com.zaxxer.hikari;
  requires static org.checkerframework.checker.qual;
  requires static micrometer.core;
}
