package dev.acklast.spi;

/**
 * What a source can do; fixed before it is started.
 *
 * @param nativeRetry whether {@link Acker#retry} works; otherwise core parks deliveries that wait
 * @param ordered whether one consumer at a time has all messages of one ordering key, so that
 *     {@code orderedBy} can be kept
 * @param countsDeliveries whether the broker counts deliveries of one message durably
 */
public record Capabilities(boolean nativeRetry, boolean ordered, boolean countsDeliveries) {}
