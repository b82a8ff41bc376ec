/**
 * The database layer: claims, the attempt ledger, the tables themselves, and plain JDBC
 * transactions. PostgreSQL 14 to 18. Nothing here keeps session state, so that all of it works
 * behind a transaction pooler, and at run time it needs SELECT, INSERT, UPDATE and DELETE only.
 */
@NullMarked
package dev.acklast.store;

import org.jspecify.annotations.NullMarked;
