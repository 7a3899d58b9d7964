import type { ApplicationStatus } from '../../shared/wire/application.ts';
import { ServiceError } from '../errors.ts';

/** How long an application may take, and an approval holds. */
export const APPLICATION_DAYS = 7;

/** The six digits that tell each status to machines. */
export const statusCodes = {
  STARTED: '100000',
  APPROVED: '200000',
  DENIED: '300000',
  INELIGIBLE: '310000',
  NEEDS_ACTION: '400000',
  ATTEMPTED_PREPARE_CHECKOUT: '500000',
  CHECKOUT_PREPARED: '510000',
  ATTEMPTED_CHECKOUT: '600000',
  CHECKOUT_COMPLETED: '610000',
  CHECKOUT_EXTENDED: '620000',
  CANCELLED: '700000',
  EXPIRED: '800000',
} as const satisfies Record<ApplicationStatus, string>;

type Move = { from: readonly ApplicationStatus[]; to: ApplicationStatus };

/**
 * Every move an application makes. What is not in this table cannot happen.
 *
 *   STARTED ──approve──▶ APPROVED ──prepare──▶ CHECKOUT_PREPARED ──complete──▶ CHECKOUT_COMPLETED
 *      ├─────deny──────▶ DENIED                 └──prepare──┘ (another plan)
 *      └────exclude────▶ INELIGIBLE (nothing is sold to this buyer, whatever a lender says)
 */
export const moves = {
  approve: { from: ['STARTED'], to: 'APPROVED' },
  deny: { from: ['STARTED'], to: 'DENIED' },
  exclude: { from: ['STARTED'], to: 'INELIGIBLE' },
  prepare: { from: ['APPROVED', 'CHECKOUT_PREPARED'], to: 'CHECKOUT_PREPARED' },
  complete: { from: ['CHECKOUT_PREPARED'], to: 'CHECKOUT_COMPLETED' },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof moves;

/** @throws ServiceError `wrong-state` - the table has no such move. */
export function statusAfter(name: MoveName, status: ApplicationStatus): { status: ApplicationStatus; status_code: string } {
  const { from, to }: Move = moves[name];
  if (!from.includes(status)) {
    throw new ServiceError('wrong-state', `Cannot ${name} an application that is ${status}; it must be ${from.join(' or ')}.`);
  }
  return { status: to, status_code: statusCodes[to] };
}
