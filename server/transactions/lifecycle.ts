import type { TransactionStatus } from '../../shared/wire/transaction.ts';
import { ServiceError } from '../errors.ts';

type Move = { from: readonly TransactionStatus[]; to: TransactionStatus };

/**
 * Every move a transaction can make. What is not in this table cannot happen.
 *
 *   PENDING ──authorize──▶ AUTHORIZED
 */
export const moves = {
  authorize: { from: ['PENDING'], to: 'AUTHORIZED' },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof moves;

/** @throws ServiceError `wrong-state` - the table has no such move. */
export function statusAfter(name: MoveName, status: TransactionStatus): TransactionStatus {
  const { from, to }: Move = moves[name];
  if (!from.includes(status)) {
    throw new ServiceError('wrong-state', `Cannot ${name} a transaction that is ${status}; it must be ${from.join(' or ')}.`);
  }
  return to;
}
