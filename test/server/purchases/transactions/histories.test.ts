/**
 * Random valid and invalid actions on a few transactions. After each step, invariants of the amounts, quantities and statuses are
 * checked independently of the service's code. The database is reopened at random.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../server/db/database.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { ServiceError } from '../../../../server/base/errors.ts';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import { auditTransactions } from '../../../../server/purchases/transactions/audit.ts';
import { expireTransactions } from '../../../../server/purchases/transactions/expire.ts';
import type { Transaction } from '../../../../server/purchases/transactions/store.ts';
import type { ActionRequest, LineCount, LineItem, TransactionStatus } from '../../../../shared/wire/transaction.ts';
import { firstSeed, isNightly } from '../../../support/campaign.ts';
import { describeOnEveryEngine, createDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { type SeededRandom, seededRandom } from '../../../support/random.ts';
import { testKeys } from '../../../support/data-keys.ts';
import { storedTransaction } from '../../../support/stored.ts';

const actor = 'key:12345678';
const onError = (thrown: unknown) => {
  throw thrown;
};
const SKUS = ['A', 'B', ''];
const SEEDS = Array.from({ length: isNightly ? 500 : 12 }, (_, index) => firstSeed + index);

/** Allowed next statuses according to the interface, independent of the service's table. */
const nextStatuses: Record<TransactionStatus, TransactionStatus[]> = {
  PENDING: ['PENDING', 'AUTHORIZED', 'CANCELED', 'EXPIRED'],
  AUTHORIZED: ['AUTHORIZED', 'SETTLED', 'CANCELED', 'EXPIRED'],
  SETTLED: ['SETTLED', 'REFUNDED'],
  CANCELED: ['CANCELED'],
  REFUNDED: ['REFUNDED'],
  EXPIRED: ['EXPIRED'],
};

/** Statuses in which an action is allowed. */
const allowedIn: Record<string, TransactionStatus[]> = {
  authorize: ['PENDING'],
  settle: ['AUTHORIZED'],
  cancel: ['PENDING', 'AUTHORIZED'],
  refund: ['SETTLED'],
};

function createLines(random: SeededRandom): LineItem[] {
  return Array.from({ length: random.integer(0, 4) }, (_, index) => {
    const sku = SKUS[random.integer(0, 2)]!;
    const product = { name: '', sku, imageUrl: '', detailUrl: '' };
    return { id: `${index + 1}`, sku, price: random.magnitude(1, 50_000) - 1, quantity: random.integer(1, 4), product };
  });
}

/** Generates an action, often on a part of the remaining amount, and sometimes on more than the total. */
function createRequest(random: SeededRandom, row: Transaction): ActionRequest {
  const type = (['authorize', 'settle', 'cancel', 'cancel', 'refund', 'refund'] as const)[random.integer(0, 5)]!;
  if (type === 'settle') return { type };
  const chance = random.fraction();
  if (type === 'authorize') {
    const amount = chance < 0.4 ? Math.max(1, row.adjustedTotalCents - (chance < 0.1 ? 1 : 0)) : undefined;
    return { type, amount, merchantOrderId: undefined, lineItems: chance < 0.2 ? createLines(random) : undefined };
  }
  const lineItems = Array.from({ length: random.integer(1, 2) }, (): LineCount => {
    const sku = chance < 0.9 ? SKUS[random.integer(0, 2)]! : 'UNKNOWN';
    return { sku, quantity: random.integer(1, chance < 0.3 ? 6 : 2) };
  });
  const maxAmount = chance < 0.15 ? 2 * row.totalCents : Math.max(1, Math.ceil(row.adjustedTotalCents / 3));
  const amount = random.integer(type === 'refund' ? 0 : 1, maxAmount);
  if (chance < 0.1) return { type, amount: undefined, lineItems: undefined };
  if (chance < 0.5) return { type, amount, lineItems: undefined };
  return { type, amount: chance < 0.6 ? amount : undefined, lineItems };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const unitsOf = (lines: readonly LineCount[], sku: string) =>
  sum(lines.filter((line) => line.sku === sku).map(({ quantity }) => quantity));

describeOnEveryEngine('After random actions', (engine) => {
  let url: string;
  let database: Database;
  beforeAll(async () => {
    url = await createDatabaseUrl(engine);
    database = openTestDatabase(url);
    await database.migrate();
  });
  const attempts = new Set<string>();
  let completedCount = 0;
  const reopen = async () => {
    await database.close();
    database = openDatabase(url, testKeys);
  };
  const rowOf = (id: string) => storedTransaction(database, id);

  /** Checks the invariants of a transaction and its journal. */
  const expectConsistent = async (id: string): Promise<Transaction> => {
    const row = await rowOf(id);
    const events = database.query.selectFrom('transaction_entries').selectAll().where('transactionId', '=', id);
    const journal = await events.orderBy('sequence').execute();
    const adjustments = journal.filter(({ type }) => type === 'canceled' || type === 'refunded');
    const adjusted = adjustments.flatMap(({ linesJson }) => JSON.parse(linesJson) as LineCount[]);
    const lines = row.lineItems;

    expect(row.adjustedTotalCents).toBeGreaterThanOrEqual(0);
    expect(row.adjustedTotalCents).toBeLessThanOrEqual(row.totalCents);
    expect(row.lineItemsCents).toBeLessThanOrEqual(row.totalCents);
    expect(row.adjustedTotalCents).toBe(row.totalCents - sum(adjustments.map(({ amountCents }) => amountCents)));
    expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1));
    expect(row.revision).toBe(journal.length);
    for (const { amountCents, requestedCents } of adjustments) {
      if (requestedCents !== null) expect(requestedCents).toBeGreaterThan(amountCents);
    }
    for (const sku of new Set(adjusted.map((line) => line.sku))) {
      expect(unitsOf(adjusted, sku), `units of "${sku}"`).toBeLessThanOrEqual(unitsOf(lines, sku));
    }
    if (row.status === 'CANCELED' || row.status === 'REFUNDED') expect(row.adjustedTotalCents).toBe(0);
    else expect(row.adjustedTotalCents).toBeGreaterThan(0);
    return row;
  };

  describe.each(SEEDS)('with the seed %i,', (seed) => {
    it('amounts, quantities, statuses and journals are consistent', async () => {
      const random = seededRandom(seed);
      let now: Instant = '2026-11-21T09:30:00.000000Z';
      const { merchantId, createPurchase } = await createBuyer(database, now);
      const ids: string[] = [];
      for (let count = 0; count < 4; count++) {
        const discounts = random.fraction() < 0.5 ? [] : [{ amount: random.integer(1, 9_999), description: 'Less' }];
        const purchase = {
          totalCents: random.magnitude(1, 200_000),
          shippingCents: random.integer(0, 999),
          taxCents: random.fraction() < 0.5 ? null : random.integer(0, 5_000),
          lineItems: createLines(random),
          discounts,
        };
        ids.push(await createPurchase(purchase));
      }

      for (let step = 0; step < 60; step++) {
        const id = ids[random.integer(0, ids.length - 1)]!;
        const stored = await rowOf(id);
        const before = await transactions.get(database.query, { merchantId, id }, now);
        const chance = random.fraction();
        if (chance < 0.05) await reopen();
        else if (chance < 0.1) now = plusDays(now, random.integer(1, 12));
        else if (chance < 0.13) await expireTransactions({ database, transactions, now, onError });
        else if (chance < 0.17)
          await transactions.setOrderId({ database, actor }, { merchantId, id }, { merchantOrderId: `M-${step}` }, now);
        else if (chance < 0.21) {
          const shipment = { trackingNumber: `T-${step}`, carrierName: undefined };
          await transactions.updateShipment({ database, actor }, { merchantId, id }, shipment, now).catch(expectRejection);
        } else {
          const request = createRequest(random, before);
          const result = await transactions.act({ database, actor }, { merchantId, id }, request, now).catch(expectRejection);
          attempts.add(`${request.type} ${result ? 'accepted' : 'rejected'} in ${before.status}`);
          if (result) expect(allowedIn[request.type]).toContain(before.status);
          // Rejected actions change nothing.
          else expect(await rowOf(id)).toEqual(stored);
        }
        const after = await expectConsistent(id);
        expect(nextStatuses[before.status]).toContain(after.status === stored.status ? before.status : after.status);
      }

      for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
      completedCount += 1;
    });
  });

  // A run of some of the tests does not attempt everything.
  afterAll(() => {
    if (completedCount < SEEDS.length) return;
    const attemptOf = (type: string, status: TransactionStatus) =>
      `${type} ${allowedIn[type]!.includes(status) ? 'accepted' : 'rejected'} in ${status}`;
    const all = Object.keys(allowedIn).flatMap((type) =>
      Object.keys(nextStatuses).map((status) => attemptOf(type, status as TransactionStatus)),
    );
    expect([...attempts], 'each action was attempted in each status').toEqual(expect.arrayContaining(all));
  });
});

function expectRejection(thrown: unknown): undefined {
  expect(thrown).toBeInstanceOf(ServiceError);
  expect((thrown as ServiceError).code).toMatch(
    /^(wrong-state|amount-mismatch|amount-too-large|quantity-too-large|line-items-in-use)$/,
  );
}
