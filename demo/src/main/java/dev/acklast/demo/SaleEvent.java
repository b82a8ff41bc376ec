package dev.acklast.demo;

/**
 * One message that tells of a sale.
 *
 * @param sale what it tells of
 * @param messageId another one each time the shop sends it
 */
record SaleEvent(Sale sale, String messageId) {}
