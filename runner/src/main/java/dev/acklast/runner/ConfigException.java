package dev.acklast.runner;

/**
 * The configuration cannot be used; the text says where and what to do, without any value of it.
 */
final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigException(String message) {
    super(message);
  }
}
