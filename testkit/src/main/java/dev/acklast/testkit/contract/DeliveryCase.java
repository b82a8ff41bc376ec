package dev.acklast.testkit.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A case of the contract's section <em>delivery</em>. */
@Test
@Tag("delivery")
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface DeliveryCase {}
