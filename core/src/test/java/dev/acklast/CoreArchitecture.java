package dev.acklast;
