package dev.acklast.chaos;

/** Connects a producer. */
interface OutletOpener {
  Outlet open() throws Exception;
}
