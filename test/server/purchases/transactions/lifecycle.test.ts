import { describe, expect, it } from 'vitest';
import {
  hasExpired,
  type TransitionName,
  transitions,
  transactionStatusAfter,
} from '../../../../server/purchases/transactions/lifecycle.ts';
import { TransactionStatus } from '../../../../shared/wire/transaction.ts';
import type { Instant } from '../../../../server/base/time.ts';

const states = Object.values(TransactionStatus.schema);

/** Statuses after each allowed transition, with and without a remaining amount. */
const allowed: Record<
  TransitionName,
  Partial<Record<TransactionStatus, [withRemainder: TransactionStatus, withoutRemainder: TransactionStatus]>>
> = {
  authorize: { PENDING: ['AUTHORIZED', 'AUTHORIZED'] },
  settle: { AUTHORIZED: ['SETTLED', 'SETTLED'] },
  cancel: { PENDING: ['PENDING', 'CANCELED'], AUTHORIZED: ['AUTHORIZED', 'CANCELED'] },
  refund: { SETTLED: ['SETTLED', 'REFUNDED'] },
  expire: { PENDING: ['EXPIRED', 'EXPIRED'], AUTHORIZED: ['EXPIRED', 'EXPIRED'] },
  ship: {
    PENDING: ['PENDING', 'PENDING'],
    AUTHORIZED: ['AUTHORIZED', 'AUTHORIZED'],
    SETTLED: ['SETTLED', 'SETTLED'],
    REFUNDED: ['REFUNDED', 'REFUNDED'],
  },
};

describe.each(Object.keys(transitions) as TransitionName[])('The transition %s', (name) => {
  it.each(states)('from %s leads to the status in the table, or throws if it is not allowed [STATE-12]', (status) => {
    const expected = allowed[name][status];
    if (expected) expect([transactionStatusAfter(name, status, 1), transactionStatusAfter(name, status, 0)]).toEqual(expected);
    else {
      const from = Object.keys(allowed[name]).join(' or ');
      expect(() => transactionStatusAfter(name, status, 1)).toThrow(
        `Cannot ${name} a transaction that is ${status}; it must be ${from}.`,
      );
    }
  });
});

describe('A transaction that has been in its status since noon of March 1', () => {
  const lifetimes = { pendingDays: 7, authorizedDays: 90 };
  const statusSince = '2026-03-01T12:00:00.000000Z';

  it.each<[TransactionStatus, Instant, boolean]>([
    ['PENDING', '2026-03-01T12:00:00.000000Z', false],
    ['PENDING', '2026-03-08T11:59:59.999000Z', false],
    ['PENDING', '2026-03-08T12:00:00.000000Z', true],
    ['PENDING', '2126-03-08T12:00:00.000000Z', true],
    ['AUTHORIZED', '2026-03-08T12:00:00.000000Z', false],
    ['AUTHORIZED', '2026-05-30T11:59:59.999000Z', false],
    ['AUTHORIZED', '2026-05-30T12:00:00.000000Z', true],
    ['SETTLED', '2126-03-08T12:00:00.000000Z', false],
    ['CANCELED', '2126-03-08T12:00:00.000000Z', false],
    ['REFUNDED', '2126-03-08T12:00:00.000000Z', false],
    ['EXPIRED', '2126-03-08T12:00:00.000000Z', false],
  ])('and is %s has expired at %s: %s', (status, now, expected) => {
    expect(hasExpired({ status, statusSince }, lifetimes, now)).toBe(expected);
  });
});
