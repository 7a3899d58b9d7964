import { describe, expect, it } from 'vitest';
import { type MoveName, moves, statusAfter } from '../../../server/transactions/lifecycle.ts';
import { TransactionStatus } from '../../../shared/wire/transaction.ts';

const states = Object.values(TransactionStatus.schema);

describe.each(Object.keys(moves) as MoveName[])('%s', (name) => {
  it.each(states)('from %s', (status) => {
    const { from, to }: { from: readonly string[]; to: string } = moves[name];
    if (from.includes(status)) expect(statusAfter(name, status)).toBe(to);
    else expect(() => statusAfter(name, status)).toThrow(`Cannot ${name} a transaction that is ${status}`);
  });
});
