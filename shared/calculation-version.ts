/**
 * Which mathematics a number was worked out by. Raised when the same program, amount and day would give another payment, rate
 * or total than before, so that every number once quoted can be traced.
 */
export const CALCULATION_VERSION = 1;
