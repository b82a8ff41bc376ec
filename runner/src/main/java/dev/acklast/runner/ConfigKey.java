package dev.acklast.runner;

/**
 * One key of the configuration file, as {@code docs/configuration.md} states it.
 *
 * @param name in kebab-case
 * @param range what is allowed
 * @param fallback what holds if it is left out
 */
record ConfigKey(String name, String range, String fallback) {
  static final String REQUIRED = "required";
  static final String NONE = "none";
}
