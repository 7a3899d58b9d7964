import { describe, expect, it } from 'vitest';
import { sandboxGateway } from '../../../../server/purchases/cards/sandbox-gateway.ts';
import { runSettlements, startSettlementJob } from '../../../../server/purchases/settlements/run.ts';
import { balanceOf, listLines, listSettlements, type Settlement } from '../../../../server/purchases/settlements/store.ts';
import type { Instant } from '../../../../server/base/time.ts';
import type { Transaction } from '../../../../server/purchases/transactions/store.ts';
import type { ActionRequest } from '../../../../shared/wire/transaction.ts';
import { listSecurityEvents } from '../../../../server/merchants/security-events.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { codeBlock } from '../../../support/docs.ts';
import { createBuyer, transactionsWith } from '../../../support/purchases.ts';
import { fairterm } from '../../operations/commands/fairterm.ts';

const transactions = transactionsWith({ cards: sandboxGateway });
const actor = 'key:12345678';
const FRIDAY: Instant = '2026-11-20T15:00:00.000000Z';
const SATURDAY: Instant = '2026-11-21T15:00:00.000000Z';
const SUNDAY: Instant = '2026-11-22T15:00:00.000000Z';
/** After the end of Sunday in every US time zone. */
const TUESDAY: Instant = '2026-11-24T00:00:00.000000Z';

describeOnEveryEngine('Settlements', async (engine) => {
  const databaseUrl = await createMigratedDatabaseUrl(engine);
  const database = openTestDatabase(databaseUrl);

  /** Creates a merchant whose purchases have a discount of 2.9 % and 30 cents. */
  const createShop = async () => {
    const { merchantId, createPurchase } = await createBuyer(database, FRIDAY);
    const perform = async (id: string, at: Instant, ...requests: ActionRequest[]) => {
      for (const request of requests) await transactions.act({ database, actor }, { merchantId, id }, request, at);
      return id;
    };
    const settle = async (totalCents: number, at: Instant, purchase: Partial<Transaction> = {}) => {
      const discount = { merchantDiscountBps: 290, merchantDiscountCents: 30 };
      const id = await createPurchase({ totalCents, ...discount, ...purchase, createdAt: at });
      return perform(id, at, { type: 'authorize' }, { type: 'settle' });
    };
    const refund = (id: string, amount: number, at: Instant) => perform(id, at, { type: 'refund', amount, lineItems: undefined });
    const run = async (through: `${number}-${number}-${number}`, on = database) => {
      const created: Settlement[] = [];
      for await (const settlement of runSettlements(on, { through, merchantId }, TUESDAY)) created.push(settlement);
      return created.map((one) => ({ ...amountsOf(one), day: one.day }));
    };
    const stored = () => listSettlements(database.query, { merchantId, limit: 100 });
    return { merchantId, settle, refund, run, stored };
  };
  const amountsOf = (settlement: Settlement) => {
    const { payoutCents, balanceCents } = balanceOf(settlement);
    const { lineCount, grossCents, feeCents, carriedCents } = settlement;
    return { lineCount, grossCents, feeCents, carriedCents, payoutCents, balanceCents };
  };

  it('have the lines of a day in the time zone of the program', async () => {
    const { settle, run } = await createShop();
    // 04:59 UTC on Saturday is Friday in New York.
    await settle(10_000, '2026-11-21T04:59:00.000000Z');
    await settle(20_000, '2026-11-21T05:00:00.000000Z');
    await settle(40_000, '2026-11-21T04:59:00.000000Z', { timeZone: 'UTC' });

    const balances = { carriedCents: 0, balanceCents: 0 };
    expect(await run('2026-11-22')).toEqual([
      { day: '2026-11-20', lineCount: 1, grossCents: 10_000, feeCents: 320, payoutCents: 9_680, ...balances },
      { day: '2026-11-21', lineCount: 2, grossCents: 60_000, feeCents: 1_800, payoutCents: 58_200, ...balances },
    ]);
  });

  it('are created once, and have late lines in the next one', async () => {
    const { settle, run, stored } = await createShop();
    await settle(10_000, FRIDAY);
    expect(await run('2026-11-20')).toMatchObject([{ day: '2026-11-20', grossCents: 10_000 }]);
    const [first] = await stored();

    await settle(20_000, FRIDAY);
    expect(await run('2026-11-20')).toEqual([]);
    expect(await run('2026-11-21')).toMatchObject([{ day: '2026-11-21', lineCount: 1, grossCents: 20_000 }]);
    await settle(30_000, SUNDAY);
    await settle(40_000, SATURDAY);
    expect(await run('2026-11-23')).toMatchObject([{ day: '2026-11-22', lineCount: 2, grossCents: 70_000 }]);
    expect(await run('2026-11-23')).toEqual([]);
    expect((await stored()).at(-1)).toEqual(first);
  });

  it('carry a negative balance until later purchases cover it', async () => {
    const { settle, refund, run } = await createShop();
    const id = await settle(10_000, FRIDAY);
    await run('2026-11-20');
    await refund(id, 10_000, SATURDAY);
    expect(await run('2026-11-21')).toMatchObject([
      { grossCents: -10_000, feeCents: -320, payoutCents: 0, balanceCents: -9_680 },
    ]);
    await settle(5_000, SUNDAY);
    expect(await run('2026-11-22')).toMatchObject([{ carriedCents: -9_680, payoutCents: 0, balanceCents: -4_855 }]);
    await settle(8_000, '2026-11-23T15:00:00.000000Z');
    expect(await run('2026-11-23')).toMatchObject([{ carriedCents: -4_855, payoutCents: 2_883, balanceCents: 0 }]);
  });

  it('are created by a job for the days that have ended in every US time zone', async () => {
    const { settle, stored } = await createShop();
    await settle(10_000, SATURDAY);
    await settle(10_000, '2026-11-23T15:00:00.000000Z');
    const job = startSettlementJob(database, { now: () => TUESDAY }, (thrown) => expect(thrown).toBeUndefined());
    await expect.poll(stored).toMatchObject([{ day: '2026-11-21' }]);
    await job.stop();
    expect(await stored()).toHaveLength(1);
  });

  it('are audited', async () => {
    const { settle, run, stored } = await createShop();
    await settle(10_000, FRIDAY);
    await run('2026-11-20');
    const [settlement] = await stored();
    const audit = () => fairterm(['audit', '--json'], { databaseUrl });
    expect(await audit()).toMatchObject({ code: 0 });
    const save = (change: Partial<Settlement>) =>
      database.write((tx) => tx.updateTable('settlements').set(change).where('id', '=', settlement!.id).execute());

    await save({ feeCents: 321, carriedCents: -1 });
    const { code, stdout } = await audit();
    await save({ feeCents: 320, carriedCents: 0 });

    expect([code, JSON.parse(stdout[0]!)]).toMatchObject([
      1,
      {
        differing: 0,
        differingSettlements: 1,
        differences: [
          { settlementId: settlement!.id, what: 'feeCents', stored: 321, recomputed: 320 },
          { settlementId: settlement!.id, what: 'carriedCents', stored: -1, recomputed: 0 },
        ],
      },
    ]);
  });

  describe('run by two processes at the same time', () => {
    it('have each line once', async () => {
      const { settle, run, stored } = await createShop();
      const other = openTestDatabase(databaseUrl);
      const days: Instant[] = [FRIDAY, SATURDAY, SUNDAY];
      const purchases = days.flatMap((day) => Array.from({ length: 4 }, () => settle(1_000, day)));
      await Promise.all(purchases);

      const runs = await Promise.all([
        run('2026-11-22'),
        run('2026-11-22', other),
        run('2026-11-21', other),
        run('2026-11-20'),
        settle(1_000, FRIDAY),
      ]);
      await run('2026-11-23');

      const settlements = await stored();
      expect(new Set(settlements.map(({ day }) => day)).size).toBe(settlements.length);
      expect(settlements.reduce((sum, { grossCents }) => sum + grossCents, 0)).toBe(13_000);
      const created = runs.flatMap((each) => (typeof each === 'string' ? [] : each));
      expect(created.map(({ day }) => day).toSorted()).toEqual(
        settlements
          .filter(({ day }) => day !== '2026-11-23')
          .map(({ day }) => day)
          .toSorted(),
      );
      for (const { id, lineCount } of settlements) {
        expect(await listLines(database.query, id, { limit: 100 })).toHaveLength(lineCount);
      }
    });
  });

  describe('on the command line', () => {
    it('are run through the last day that has ended, and listed', async () => {
      const { merchantId, settle } = await createShop();
      await settle(10_000, SATURDAY);
      await settle(20_000, SUNDAY);
      const command = (...args: string[]) =>
        fairterm(['settlements', ...args, '--merchant', merchantId], {
          databaseUrl,
          clock: { now: () => '2026-11-23T10:59:59.000000Z' },
        });

      const run = await command('run', '--json');
      expect(JSON.parse(run.stdout[0]!).settlements).toMatchObject([
        { merchantId, day: '2026-11-21', gross: 10_000, fee: 320, net: 9_680, payout: 9_680, bankReference: null },
      ]);
      expect((await command('run')).stdout).toHaveLength(1);
      const through = await command('run', '--through', '2026-11-22');
      expect(through.stdout).toHaveLength(2);
      const listed = await command('list', '--limit', '1', '--json');
      expect(JSON.parse(listed.stdout[0]!).settlements).toMatchObject([{ day: '2026-11-22', gross: 20_000 }]);
    });

    const [header] = codeBlock('server/docs/lenders.md', 'payout-file').split('\n');
    const importFile = (rows: string[], ...options: string[]) =>
      fairterm(['settlements', 'import', '-', '--json', ...options], { databaseUrl, piped: [header, ...rows].join('\n') });
    const paymentsOf = (settlements: Settlement[]) =>
      settlements.map(({ bankReference, paidOn, receivedDifference }) => [bankReference, paidOn, receivedDifference]);

    /** Settles Friday with a payout of $96.80, refunds it on Saturday, and settles Sunday and Monday: $28.83 are left to pay. */
    const settleRefund = async (shop: Awaited<ReturnType<typeof createShop>>) => {
      const { settle, refund, run } = shop;
      const id = await settle(10_000, FRIDAY);
      await run('2026-11-20');
      await refund(id, 10_000, SATURDAY);
      const sunday = await settle(5_000, SUNDAY);
      const monday = await settle(8_000, '2026-11-23T15:00:00.000000Z');
      await run('2026-11-23');
      return {
        friday: `${id},3,9680,BANK-1,2026-11-23`,
        saturday: `${id},4,-9680,BANK-2,2026-11-24`,
        sunday: `${sunday},3,4825,BANK-2,2026-11-24`,
        monday: `${monday},3,7738,BANK-2,2026-11-24`,
      };
    };

    it('receive the bank reference of a payout file that pays all lines to the cent, however often it is imported', async () => {
      const { settle, refund, run, stored } = await createShop();
      const id = await settle(10_000, FRIDAY);
      await refund(id, 5_000, FRIDAY);
      await run('2026-11-20');
      const rows = [`${id},3,9680,BANK-1,2026-11-23`, `${id},4,-4855,BANK-1,2026-11-23`];

      for (const _ of [1, 2]) {
        const { code, stdout } = await importFile(rows);
        expect([code, JSON.parse(stdout[0]!)]).toMatchObject([0, { rows: 2, differences: [] }]);
        expect(await stored()).toMatchObject([{ bankReference: 'BANK-1', paidOn: '2026-11-23' }]);
      }
    });

    it('list each difference to the cent, and do not change then', async () => {
      const { settle, run, stored } = await createShop();
      const wrong = await settle(10_000, FRIDAY);
      const missing = await settle(20_000, FRIDAY);
      await run('2026-11-20');
      const fine = await settle(5_000, SATURDAY);
      const twice = await settle(6_000, SATURDAY);
      await run('2026-11-21');
      const unsettled = await settle(30_000, SUNDAY);
      const [saturday, friday] = await stored();

      const { code, stdout } = await importFile([
        `${wrong},3,9679,BANK-2,2026-11-23`,
        `${wrong},9,5,BANK-2,2026-11-23`,
        `${fine},3,4825,BANK-3,2026-11-23`,
        `${twice},3,5796,BANK-4,2026-11-23`,
        `${unsettled},3,29100,BANK-2,2026-11-23`,
      ]);

      expect(code).toBe(1);
      const { differences, settlements } = JSON.parse(stdout[0]!);
      expect(settlements).toEqual([]);
      const fields = ['what', 'settlementId', 'transactionId', 'revision', 'expectedCents', 'paidCents', 'row'];
      expect(differences.map((difference: Record<string, unknown>) => fields.map((field) => difference[field]))).toEqual([
        ['amount', friday!.id, wrong, 3, 9_680, 9_679, 2],
        ['unknown-line', null, wrong, 9, null, 5, 3],
        ['not-settled', null, unsettled, 3, 29_100, 29_100, 6],
        ['not-paid', friday!.id, missing, 3, 19_390, null, null],
        ['several-payments', saturday!.id, null, null, null, null, 5],
      ]);
      expect((await stored()).map(({ bankReference }) => bankReference)).toEqual([null, null]);
      // The merchant sees the first difference of each.
      expect(await stored()).toMatchObject([
        { receivedDifference: 'several-payments', receivedCents: 10_621, receivedOn: '2026-11-23' },
        { receivedDifference: 'amount', receivedCents: 9_679, receivedOn: '2026-11-23' },
      ]);

      await importFile([`${wrong},3,9680,BANK-2,2026-11-24`, `${missing},3,19390,BANK-2,2026-11-24`]);
      const [, corrected] = await stored();
      expect(corrected).toMatchObject({ bankReference: 'BANK-2', receivedDifference: null, receivedCents: 29_070 });
    });

    it('keep the bank reference of an earlier file', async () => {
      const { settle, run, stored } = await createShop();
      const id = await settle(10_000, FRIDAY);
      await run('2026-11-20');
      expect(await importFile([`${id},3,9680,BANK-1,2026-11-23`])).toMatchObject({ code: 0 });

      const { code, stdout } = await importFile([`${id},3,9680,BANK-9,2026-11-24`]);

      expect([code, JSON.parse(stdout[0]!).differences]).toMatchObject([1, [{ what: 'paid-before', row: 2 }]]);
      expect(await stored()).toMatchObject([{ bankReference: 'BANK-1', receivedDifference: 'paid-before' }]);
    });

    it('have payouts that add up to the transfer of their bank reference, and none where nothing was paid', async () => {
      const shop = await createShop();
      const { friday, saturday, sunday, monday } = await settleRefund(shop);

      const { code, stdout } = await importFile([friday, saturday, sunday, monday]);

      expect([code, JSON.parse(stdout[0]!).differences]).toEqual([0, []]);
      const stored = await shop.stored();
      expect(paymentsOf(stored)).toEqual([
        ['BANK-2', '2026-11-24', null],
        [null, null, null],
        [null, null, null],
        ['BANK-1', '2026-11-23', null],
      ]);
      expect(stored.map((settlement) => balanceOf(settlement).payoutCents)).toEqual([-9_680 + 4_825 + 7_738, 0, 0, 9_680]);
    });

    it('list a transfer from which a balance that was carried over is not deducted', async () => {
      const shop = await createShop();
      const { monday } = await settleRefund(shop);

      const { code, stdout } = await importFile([monday]);

      const [{ id }] = (await shop.stored()) as [Settlement];
      const difference = { what: 'transfer', settlementId: id, expectedCents: 2_883, paidCents: 7_738, row: 2 };
      expect([code, JSON.parse(stdout[0]!)]).toMatchObject([1, { settlements: [], differences: [difference] }]);
      expect(paymentsOf(await shop.stored())[0]).toEqual([null, null, 'transfer']);
    });

    it.each([
      ['pays another amount for a line', 'amount', (id: string) => `${id},3,9679,BANK-2,2026-11-23`],
      ['pays a line that does not exist', 'unknown-line', (id: string) => `${id},9,5,BANK-2,2026-11-23`],
    ] as const)('have no bank reference of a transfer that %s', async (_, what, other) => {
      const { settle, run, stored } = await createShop();
      const id = await settle(10_000, FRIDAY);
      const fine = await settle(20_000, SATURDAY);
      await run('2026-11-21');

      const { code, stdout } = await importFile([other(id), `${fine},3,19390,BANK-2,2026-11-23`]);

      expect([code, JSON.parse(stdout[0]!)]).toMatchObject([1, { differences: [{ what }, { what: 'transfer' }] }]);
      expect(paymentsOf(await stored())[0]).toEqual([null, null, 'transfer']);
    });

    describe('and a file that replaces earlier ones', () => {
      const correctionsOf = async (merchantId: string) => {
        const events = await listSecurityEvents(database.query, { merchantId, kind: 'payout-corrected', limit: 10 });
        return events.map(({ actor: by, details }) => [by, details]).toReversed();
      };

      it('have its bank reference and day, which is recorded once, also if it is repeated', async () => {
        const { merchantId, settle, run, stored } = await createShop();
        const id = await settle(10_000, FRIDAY);
        await run('2026-11-20');
        await importFile([`${id},3,9680,BANK-1,2026-11-23`]);
        const settlementId = (await stored())[0]!.id;
        const before = { bankReference: 'BANK-1', paidOn: '2026-11-23' };
        const after = { bankReference: 'BANK-9', paidOn: '2026-11-24' };

        const first = await importFile([`${id},3,9680,BANK-9,2026-11-24`], '--replace');
        const second = await importFile([`${id},3,9680,BANK-9,2026-11-24`], '--replace');

        expect([first.code, JSON.parse(first.stdout[0]!)]).toEqual([
          0,
          { rows: 1, settlements: [{ settlementId, ...after }], corrections: [{ settlementId, before, after }], differences: [] },
        ]);
        expect(JSON.parse(second.stdout[0]!)).toMatchObject({ corrections: [], differences: [] });
        expect(paymentsOf(await stored())).toEqual([['BANK-9', '2026-11-24', null]]);
        expect(await correctionsOf(merchantId)).toEqual([
          ['console', { settlementId, before: 'BANK-1 of 2026-11-23', after: 'BANK-9 of 2026-11-24' }],
        ]);
      });

      it('have no bank reference if they differ from it, or are no longer in their transfer', async () => {
        const { merchantId, settle, run, stored } = await createShop();
        const other = await createShop();
        const ids = [await settle(10_000, FRIDAY), await settle(20_000, SATURDAY), await settle(5_000, SUNDAY)];
        const ofOther = await other.settle(10_000, FRIDAY);
        await run('2026-11-22');
        await other.run('2026-11-22');
        await importFile([
          `${ids[0]},3,9680,BANK-1,2026-11-23`,
          `${ids[1]},3,19390,BANK-1,2026-11-23`,
          `${ids[2]},3,4825,BANK-2,2026-11-23`,
          `${ofOther},3,9680,BANK-2,2026-11-23`,
        ]);
        const [sunday, saturday] = (await stored()) as [Settlement, Settlement, Settlement];

        const { code, stdout } = await importFile(
          [`${ids[0]},3,9680,BANK-1,2026-11-23`, `${ids[2]},3,4820,BANK-2,2026-11-23`],
          '--replace',
        );

        expect([code, JSON.parse(stdout[0]!).differences]).toMatchObject([1, [{ what: 'amount', settlementId: sunday.id }]]);
        expect(paymentsOf(await stored())).toEqual([
          [null, null, 'amount'],
          [null, null, null],
          ['BANK-1', '2026-11-23', null],
        ]);
        expect(await correctionsOf(merchantId)).toEqual([
          ['console', { settlementId: sunday.id, before: 'BANK-2 of 2026-11-23', after: 'not paid' }],
          ['console', { settlementId: saturday.id, before: 'BANK-1 of 2026-11-23', after: 'not paid' }],
        ]);
        // A transfer to another merchant can have the same reference.
        expect(paymentsOf(await other.stored())).toEqual([['BANK-2', '2026-11-23', null]]);
      });

      it('are listed as text with their payments before and after', async () => {
        const { settle, run, stored } = await createShop();
        const id = await settle(10_000, FRIDAY);
        await run('2026-11-20');
        await importFile([`${id},3,9680,BANK-1,2026-11-23`]);
        const piped = [header, `${id},3,9680,BANK-1,2026-11-24`].join('\n');

        const progress: string[] = [];
        const { stdout } = await fairterm(['settlements', 'import', '-', '--replace'], { databaseUrl, piped, progress });

        const settlementId = (await stored())[0]!.id;
        expect(stdout).toEqual([
          `corrected: settlement ${settlementId}, BANK-1 of 2026-11-23 before, BANK-1 of 2026-11-24 now`,
          'Rows: 1, settlements paid as expected: 1, differences: 0',
        ]);
        expect(progress).toContainEqual(expect.stringMatching(/^1 of 1, [\d,.]+\/s, \d+:\d\d, Comparing settlements$/));
      });
    });
  });
});
