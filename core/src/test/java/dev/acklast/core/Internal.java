package dev.acklast.core;

/** Stands for any internal type. */
public class Internal {}
