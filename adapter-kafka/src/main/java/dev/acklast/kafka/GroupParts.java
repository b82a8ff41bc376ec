package dev.acklast.kafka;

import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.TroubleLog;

/** What a subscription is made of. */
record GroupParts(
    ClientConfig config,
    Options options,
    SourceSettings settings,
    Sink sink,
    TroubleLog log,
    DeadLetters deadLetters) {}
