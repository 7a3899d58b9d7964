import { addMonths, type CivilDate } from '../../../shared/dates.ts';
import { netCentsOf, type SettledAmounts } from '../../../shared/settlement.ts';
import type { Query } from '../../db/database.ts';
import { balanceOf, listSettlements, type Settlement } from './store.ts';

/** Settlements of a month that are read: one for each day and currency. */
const MAX_SETTLEMENTS = 1_000;

/** The settlements of a month in one currency. `openingCents + grossCents - feeCents - payoutCents` is `closingCents`. */
export interface Statement extends SettledAmounts {
  currency: string;
  /** The negative balances before and after the month, or 0. */
  openingCents: number;
  closingCents: number;
  payoutCents: number;
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
export function statementsOf(settlements: readonly Settlement[]): Statement[] {
  const currencies = [...new Set(settlements.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const some = settlements.filter((settlement) => settlement.currency === currency);
    const sum = (valueOf: (settlement: Settlement) => number) => some.reduce((total, one) => total + valueOf(one), 0);
    const payoutOf = (settlement: Settlement) => balanceOf(settlement).payoutCents;
    const openingCents = some[0]!.carriedCents;
    const payoutCents = sum(payoutOf);
    return {
      currency,
      openingCents,
      closingCents: openingCents + sum(netCentsOf) - payoutCents,
      grossCents: sum(({ grossCents }) => grossCents),
      feeCents: sum(({ feeCents }) => feeCents),
      payoutCents,
      paidCents: sum((one) => (one.paidOn === null ? 0 : payoutOf(one))),
      settlements: some,
    };
  });
}
