package dev.acklast.store;

/** Stands for any internal type. */
public class Internal {}
