import { asLowAsText } from '../shared/disclosure.ts';

const WIDE_CENTS = 8_888_888;

/**
 * The disclosure with numbers as wide as they come: set invisibly behind the real one, it keeps the height the same
 * before, during and after loading, at every width.
 *
 * Lines are filled greedily, so a sentence of the same words, none of them wider, never needs more lines than this one.
 * The same sentence stands in `reserve.css`, for the time before this script arrives.
 */
export const reserveText = asLowAsText(
  {
    lenderName: 'Loans are made by Loans are made by Loans',
    minCents: WIDE_CENTS,
    maxCents: WIDE_CENTS,
    minApr: 0.2888,
    maxApr: 0.2888,
  },
  {
    termLength: 120,
    aprBps: 2_888,
    amountCents: WIDE_CENTS,
    schedule: { levelPaymentCents: WIDE_CENTS, lastPaymentCents: WIDE_CENTS - 1, totalOfPaymentsCents: 10 * WIDE_CENTS },
  },
);
