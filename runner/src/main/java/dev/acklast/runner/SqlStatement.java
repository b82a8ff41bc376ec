package dev.acklast.runner;

import java.util.List;

/**
 * One statement of an effect.
 *
 * @param jdbc its text with {@code ?} for each parameter
 * @param parameters what each {@code ?} stands for, in order
 * @param countsRows whether it is an insert, update, delete or merge without {@code returning},
 *     which alone can go into a JDBC batch
 */
record SqlStatement(String jdbc, List<SqlParameter> parameters, boolean countsRows) {
  SqlStatement {
    parameters = List.copyOf(parameters);
  }
}
