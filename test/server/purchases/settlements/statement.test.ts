import { expect, it } from 'vitest';
import type { CivilDate } from '../../../../shared/dates.ts';
import { netCentsOf } from '../../../../shared/settlement.ts';
import { newId } from '../../../../server/base/ids.ts';
import { csvOfLines } from '../../../../server/purchases/settlements/read.ts';
import { changeOf, settlementsOfMonth, statementsOf } from '../../../../server/purchases/settlements/statement.ts';
import {
  addLine,
  addSettlement,
  balanceOf,
  findLatest,
  NOT_RECEIVED,
  saveReceipt,
  sumUnsettled,
} from '../../../../server/purchases/settlements/store.ts';
import type { Instant } from '../../../../server/base/time.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer } from '../../../support/purchases.ts';

const AT: Instant = '2026-11-24T15:00:00.000000Z';

describeOnEveryEngine('The statement of a month', async (engine) => {
  const database = await createDatabase(engine);
  const buyer = await createBuyer(database, AT);
  const other = await createBuyer(database, AT);

  /** Adds a line of a new purchase. */
  const add = async ({ merchantId, createPurchase }: typeof buyer, day: CivilDate, grossCents: number, feeCents: number) => {
    const id = await createPurchase({ orderRef: `order of ${day}` });
    const type = grossCents < 0 ? 'refunded' : 'settled';
    const line = { transactionId: id, sequence: 1, type, merchantId, grossCents, feeCents, day, at: AT } as const;
    await database.write((tx) => addLine(tx, line, id));
  };
  const settle = (merchantId: string, day: CivilDate) =>
    database.write(async (tx) => {
      const latest = await findLatest(tx, { merchantId, currency: 'USD' });
      const account = { merchantId, currency: 'USD', carriedCents: latest ? balanceOf(latest).balanceCents : 0 };
      return addSettlement(tx, { id: newId(), day, createdAt: AT, ...account });
    });

  await add(buyer, '2026-10-30', 10_000, 300);
  await settle(buyer.merchantId, '2026-10-30');
  await add(buyer, '2026-10-31', -25_000, -700);
  await settle(buyer.merchantId, '2026-10-31');
  await add(buyer, '2026-11-01', 20_000, 600);
  await settle(buyer.merchantId, '2026-11-01');
  await add(buyer, '2026-11-30', 50_000, 1_500);
  await add(buyer, '2026-11-30', -8_000, -200);
  const last = await settle(buyer.merchantId, '2026-11-30');
  await add(buyer, '2026-12-01', 1_000, 30);
  await add(other, '2026-11-02', 77_000, 0);
  await settle(other.merchantId, '2026-11-02');

  it('begins with the balance of the month before, and its payouts and closing balance are exactly what is left', async () => {
    const payment = { bankReference: 'BANK-1', paidOn: '2026-12-02' } as const;
    await database.write((tx) => saveReceipt(tx, last, { ...NOT_RECEIVED, ...payment }));
    const settlements = await settlementsOfMonth(database.query, buyer.merchantId, '2026-11-01');
    const [statement, ...others] = await statementsOf(database.query, settlements);
    expect(others).toEqual([]);
    expect(settlements.map(({ day }) => day)).toEqual(['2026-11-01', '2026-11-30']);
    expect(statement).toMatchObject({
      currency: 'USD',
      // -24,300 of October, of which the first settlement of November leaves -4,900.
      openingCents: -24_300,
      purchases: { inCents: 70_000, outCents: -2_100 },
      refunds: { inCents: 200, outCents: -8_000 },
      payouts: { inCents: 0, outCents: -35_800 },
      paidCents: 35_800,
      closingCents: 0,
    });
    const october = (
      await statementsOf(database.query, await settlementsOfMonth(database.query, buyer.merchantId, '2026-10-01'))
    )[0]!;
    expect(october).toMatchObject({ openingCents: 0, payouts: { outCents: -9_700 }, paidCents: 0, closingCents: -24_300 });
    for (const { openingCents, purchases, refunds, payouts, closingCents, settlements: some } of [statement!, october]) {
      expect(openingCents + changeOf(purchases) + changeOf(refunds) + changeOf(payouts)).toBe(closingCents);
      // The lines say the same as the settlements that they are in.
      expect(changeOf(purchases) + changeOf(refunds)).toBe(some.reduce((sum, one) => sum + netCentsOf(one), 0));
      expect(balanceOf(some.at(-1)!).balanceCents).toBe(closingCents);
    }
    expect(await statementsOf(database.query, await settlementsOfMonth(database.query, buyer.merchantId, '2026-09-01'))).toEqual(
      [],
    );
  });

  it('has the lines and balances of all settlements in one CSV file, whose rows add up to the payout of each', async () => {
    const settlements = await settlementsOfMonth(database.query, buyer.merchantId, '2026-11-01');
    let file = '';
    for await (const part of csvOfLines(database.query, settlements)) file += part;
    const rows = file.trimEnd().split('\r\n');
    const [first] = settlements;
    expect(rows[0]).toMatch(/^settlementId,/);
    expect(rows[1]).toContain(`${first!.id},,${first!.id}.carried,carried,,,,USD,-24300,0,-24300,,2026-11-01,`);
    expect(rows[2]).toContain('order of 2026-11-01,,USD,20000,600,19400');
    const netOf = (row: string) => Number(row.split(',')[10]);
    const ofSettlement = (id: string) => rows.slice(1).filter((row) => row.startsWith(id));
    expect([first!.id, last.id].map((id) => ofSettlement(id).map(netOf))).toEqual([
      [-24_300, 19_400, 4_900],
      [-4_900, expect.any(Number), expect.any(Number)],
    ]);
    expect(ofSettlement(last.id).reduce((sum, row) => sum + netOf(row), 0)).toBe(balanceOf(last).payoutCents);
    expect(rows[3]).toContain(`${first!.id}.balance,balance,`);
  });

  it('does not include lines that are in no settlement, which are summed by currency', async () => {
    const unsettled = await sumUnsettled(database.query, buyer.merchantId);
    expect(unsettled).toEqual([{ currency: 'USD', lineCount: 1, grossCents: 1_000, feeCents: 30 }]);
    expect(await sumUnsettled(database.query, other.merchantId)).toEqual([]);
  });
});
