/**
 * Version of the financing calculations. Raise it whenever the same program, amount and date would give a different payment,
 * rate or total, so that every stored quote can be traced to the rules that produced it.
 */
export const CALCULATION_VERSION = 1;
