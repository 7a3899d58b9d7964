import { addMonths, type CivilDate } from '../../../shared/dates.ts';
import type { SettledAmounts } from '../../../shared/settlement.ts';
import type { SettlementLineType } from '../../../shared/wire/settlement.ts';
import type { Query } from '../../db/database.ts';
import { balanceOf, listSettlements, type Settlement, sumLinesByType } from './store.ts';

/** Settlements of a month that are read: one for each day and currency. */
const MAX_SETTLEMENTS = 1_000;

/** Amounts that increase a balance, and those that reduce it, which are negative. Together they are its change. */
export interface Movement {
  inCents: number;
  outCents: number;
}

/** The settlements of a month in one currency. `openingCents` and the three movements together are `closingCents`. */
export interface Statement {
  currency: string;
  /** The negative balances before and after the month, or 0. */
  openingCents: number;
  closingCents: number;
  /** The financed portions, and the fees of the merchant. */
  purchases: Movement;
  /** The refunds, and the fees that they return. */
  refunds: Movement;
  payouts: Movement;
  /** The part of the payouts that the lender has transferred. */
  paidCents: number;
  /** The oldest first. */
  settlements: readonly Settlement[];
}

/** Returns a merchant's settlements of a month, the oldest first. @param firstDay - Of the month. */
export async function settlementsOfMonth(query: Query, merchantId: string, firstDay: CivilDate): Promise<Settlement[]> {
  const filter = { merchantId, from: firstDay, before: addMonths(firstDay, 1), limit: MAX_SETTLEMENTS };
  return (await listSettlements(query, filter)).toReversed();
}

/** Returns the statements of a month, one for each currency. @param settlements - Those of the month, the oldest first. */
export async function statementsOf(query: Query, settlements: readonly Settlement[]): Promise<Statement[]> {
  const sums = await sumLinesByType(
    query,
    settlements.map(({ id }) => id),
  );
  const currencies = [...new Set(settlements.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const some = settlements.filter((settlement) => settlement.currency === currency);
    const ofType = (type: SettlementLineType) => movementOf(sums.find((sum) => sum.currency === currency && sum.type === type));
    const purchases = ofType('settled');
    const refunds = ofType('refunded');
    const payoutCents = payoutsOf(some);
    const payouts = { inCents: 0, outCents: -payoutCents };
    const openingCents = some[0]!.carriedCents;
    const closingCents = [purchases, refunds, payouts].reduce((balance, change) => balance + changeOf(change), openingCents);
    const paidCents = payoutsOf(some.filter(({ paidOn }) => paidOn !== null));
    return { currency, openingCents, closingCents, purchases, refunds, payouts, paidCents, settlements: some };
  });
}

/** Returns the change of a balance. */
export function changeOf({ inCents, outCents }: Movement): number {
  return inCents + outCents;
}

/** A purchase pays its gross amount and takes the fee; a refund takes the one and returns the other. */
function movementOf({ grossCents, feeCents }: SettledAmounts = { grossCents: 0, feeCents: 0 }): Movement {
  const amounts = [grossCents, -feeCents];
  const sumOf = (part: (cents: number) => number) => amounts.reduce((sum, cents) => sum + part(cents), 0);
  return { inCents: sumOf((cents) => Math.max(0, cents)), outCents: sumOf((cents) => Math.min(0, cents)) };
}

const payoutsOf = (settlements: readonly Settlement[]): number =>
  settlements.reduce((sum, settlement) => sum + balanceOf(settlement).payoutCents, 0);
