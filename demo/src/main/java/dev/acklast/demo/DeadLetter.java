package dev.acklast.demo;

import org.jspecify.annotations.Nullable;

/**
 * A message that was put aside.
 *
 * @param saleId as the shop wrote it into the header; null if the header is gone
 * @param messageId the shop's or the broker's
 * @param body as it lies there
 */
record DeadLetter(@Nullable String saleId, @Nullable String messageId, byte[] body) {}
