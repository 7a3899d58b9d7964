import { describe, expect, it, test } from 'vitest';
import type { TransactionStatus } from '../../../../shared/wire/transaction.ts';
import { remainingCardCents, cardOperationFor, type CardOperation } from '../../../../server/purchases/transactions/card.ts';
import { transitions, type TransitionName, transactionStatusAfter } from '../../../../server/purchases/transactions/lifecycle.ts';

/** The card pays $400.00 of $1,000.00. */
const cardCents = 40_000;

test.each([
  [100_000, 40_000],
  [60_000, 40_000],
  [40_000, 40_000],
  [39_999, 39_999],
  [1, 1],
  [0, 0],
])('Of %i remaining cents, the card pays %i, because the loan is reduced first', (leftCents, cents) => {
  expect(remainingCardCents({ leftCents, cardCents, cardReducedCents: 0 })).toBe(cents);
});

it('After a cancel that reduced the card first, the card pays the rest of its portion, and the loan what is left', () => {
  expect(remainingCardCents({ leftCents: 80_000, cardCents, cardReducedCents: 20_000 })).toBe(20_000);
  expect(remainingCardCents({ leftCents: 60_000, cardCents, cardReducedCents: 40_000 })).toBe(0);
  expect(remainingCardCents({ leftCents: 10_000, cardCents, cardReducedCents: 20_000 })).toBe(10_000);
});

describe('The card operation of a transition', () => {
  const rows: [TransactionStatus, number, TransitionName, number, CardOperation | undefined][] = [
    ['PENDING', 100_000, 'authorize', 100_000, undefined],
    ['PENDING', 100_000, 'cancel', 30_000, undefined],
    ['PENDING', 100_000, 'cancel', 0, { type: 'release', amountCents: 0 }],
    ['PENDING', 100_000, 'expire', 100_000, { type: 'release', amountCents: 0 }],
    ['PENDING', 100_000, 'ship', 100_000, undefined],
    ['AUTHORIZED', 100_000, 'cancel', 100, undefined],
    ['AUTHORIZED', 100_000, 'cancel', 0, { type: 'release', amountCents: 0 }],
    ['AUTHORIZED', 100_000, 'expire', 100_000, { type: 'release', amountCents: 0 }],
    ['AUTHORIZED', 100_000, 'settle', 100_000, { type: 'capture', amountCents: 40_000 }],
    ['AUTHORIZED', 30_000, 'settle', 30_000, { type: 'capture', amountCents: 30_000 }],
    ['AUTHORIZED', 100_000, 'ship', 100_000, undefined],
    ['SETTLED', 100_000, 'ship', 100_000, undefined],
    ['SETTLED', 100_000, 'refund', 99_999, undefined],
    ['SETTLED', 100_000, 'refund', 40_000, undefined],
    ['SETTLED', 100_000, 'refund', 39_999, { type: 'refund', amountCents: 1 }],
    ['SETTLED', 100_000, 'refund', 0, { type: 'refund', amountCents: 40_000 }],
    ['SETTLED', 30_000, 'refund', 10_000, { type: 'refund', amountCents: 20_000 }],
    ['SETTLED', 10_000, 'refund', 0, { type: 'refund', amountCents: 10_000 }],
    ['REFUNDED', 0, 'ship', 0, undefined],
  ];

  test.each(rows)(
    'of a transaction that is %s with %i cents, %s to %i cents, is %j',
    (status, leftCents, transition, leftAfter, expected) => {
      const before = { status, leftCents, cardCents, cardReducedCents: 0 };
      const after = { ...before, status: transactionStatusAfter(transition, status, leftAfter), leftCents: leftAfter };
      expect(cardOperationFor(before, after)).toEqual(expected);
      expect(cardOperationFor({ ...before, cardCents: 0 }, { ...after, cardCents: 0 })).toBeUndefined();
    },
  );

  it('releases the card at a settlement without a card portion, because a request whose response was lost may have placed a hold', () => {
    const before = { status: 'AUTHORIZED', leftCents: 60_000, cardCents, cardReducedCents: 40_000 } as const;
    const settled = { ...before, status: 'SETTLED' } as const;
    expect(cardOperationFor(before, settled)).toEqual({ type: 'release', amountCents: 0 });
    expect(cardOperationFor(settled, { ...settled, status: 'REFUNDED', leftCents: 0 })).toBeUndefined();
  });

  it('is defined for every transition', () => {
    const all = Object.entries(transitions).flatMap(([transition, { from }]) => from.map((status) => `${status} ${transition}`));
    expect(new Set(rows.map(([status, , transition]) => `${status} ${transition}`))).toEqual(new Set(all));
  });

  it.each([1, 999, 39_999, 40_000, 40_001, 100_000])(
    'adds up to the captured amount if refunded in steps of %i cents',
    (step) => {
      let leftCents = 100_000;
      let refunded = 0;
      while (leftCents > 0) {
        const after = Math.max(0, leftCents - step);
        const status = transactionStatusAfter('refund', 'SETTLED', after);
        const before = { status: 'SETTLED', leftCents, cardCents, cardReducedCents: 0 } as const;
        const transition = cardOperationFor(before, { ...before, status, leftCents: after });
        refunded += transition?.amountCents ?? 0;
        leftCents = after;
      }
      expect(refunded).toBe(cardCents);
    },
  );
});
