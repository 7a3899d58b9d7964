import { pagesOf, type Query } from '../../db/database.ts';
import { balanceOf, listByAccount, NO_LINES, type Settlement, sumLines, type Totals } from './store.ts';

/** Number of settlements per query. */
const PAGE_SIZE = 200;

/** A stored value of a settlement that differs from its lines, or from the settlement before it. */
export interface SettlementDifference {
  settlementId: string;
  what: keyof Totals | 'carriedCents';
  stored: number;
  recomputed: number;
}

/**
 * Recalculates every settlement from its lines, and the balance that it carries from the one before it.
 *
 * @yields The differences of each settlement.
 */
export async function* auditSettlements(query: Query): AsyncGenerator<SettlementDifference[]> {
  const columns = ['lineCount', 'grossCents', 'feeCents', 'carriedCents'] as const;
  let before: Settlement | undefined;
  for await (const page of pagesOf<Settlement>(PAGE_SIZE, (after) => listByAccount(query, after, PAGE_SIZE))) {
    const totals = await sumLines(
      query,
      page.map(({ id }) => id),
    );
    for (const settlement of page) {
      const { id, merchantId, currency } = settlement;
      const isSameAccount = before?.merchantId === merchantId && before.currency === currency;
      const carriedCents = before && isSameAccount ? balanceOf(before).balanceCents : 0;
      const recomputed = { ...(totals.get(id) ?? NO_LINES), carriedCents };
      yield columns
        .filter((what) => settlement[what] !== recomputed[what])
        .map((what) => ({ settlementId: id, what, stored: settlement[what], recomputed: recomputed[what] }));
      before = settlement;
    }
  }
}
