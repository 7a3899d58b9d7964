import { expect, it } from 'vitest';
import type { CivilDate } from '../../../../shared/dates.ts';
import type { Database } from '../../../../server/db/database.ts';
import { newId } from '../../../../server/base/ids.ts';
import type { PayoutRow } from '../../../../server/purchases/settlements/payout-file.ts';
import { reconcile } from '../../../../server/purchases/settlements/reconcile.ts';
import { addSettlement } from '../../../../server/purchases/settlements/store.ts';
import type { Instant } from '../../../../server/base/time.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer } from '../../../support/purchases.ts';

const AT: Instant = '2026-11-01T00:00:00.000000Z';
const DAY: CivilDate = '2026-11-01';
const LINES_OF_PURCHASE = 500;

/** Stores a settlement of purchases with 500 lines each. Returns the rows of a file that pays it. */
async function settle(database: Database, purchases: number): Promise<PayoutRow[]> {
  const { merchantId, createPurchase } = await createBuyer(database, AT);
  const rows: PayoutRow[] = [];
  for (let count = 0; count < purchases; count += 1) {
    const transactionId = await createPurchase();
    const lines = Array.from({ length: LINES_OF_PURCHASE }, (_, sequence) => ({
      transactionId,
      sequence: sequence + 2,
      type: 'settled' as const,
      merchantId,
      currency: 'USD',
      grossCents: 50,
      feeCents: 0,
      day: DAY,
      at: AT,
      settlementId: null,
    }));
    await database.write((tx) => tx.insertInto('settlement_lines').values(lines).execute());
    for (const { sequence: revision } of lines) {
      rows.push({ number: rows.length + 2, transactionId, revision, netCents: 50, bankReference: 'B-1', paidOn: DAY });
    }
  }
  const account = { merchantId, currency: 'USD', day: DAY, carriedCents: 0 };
  await database.write((tx) => addSettlement(tx, { id: newId(), ...account, createdAt: AT }));
  return rows;
}

describeOnEveryEngine('The import of a payout file', async (engine) => {
  const database = await createDatabase(engine);

  it('takes a time that grows with the number of lines of a settlement, not with its square', async () => {
    const few = await settle(database, 5);
    const many = await settle(database, 50);
    const millisecondsFor = async (rows: readonly PayoutRow[]): Promise<number> => {
      const startedAt = performance.now();
      const { differences, payments } = await reconcile(database, rows, { replace: false, now: AT });
      expect([differences, payments]).toEqual([[], [expect.objectContaining({ bankReference: 'B-1', paidOn: DAY })]]);
      return performance.now() - startedAt;
    };
    await millisecondsFor(few);
    const once = await millisecondsFor(few);
    // Ten times as many lines take a hundred times as long if the time is quadratic.
    expect(await millisecondsFor(many)).toBeLessThan(35 * once);
  });
});
