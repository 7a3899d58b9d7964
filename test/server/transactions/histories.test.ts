/**
 * Random histories of a few purchases, everything a merchant can send and much that they should not, checked after each step
 * against a model that knows nothing of the code: sums and counts. The database is closed and opened in between.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { ServiceError } from '../../../server/errors.ts';
import { type Instant, plusDays } from '../../../server/time.ts';
import { act, setOrderId, updateShipment } from '../../../server/transactions/actions.ts';
import { auditTransactions } from '../../../server/transactions/audit.ts';
import { expireLapsed, readTransactionAt } from '../../../server/transactions/expire.ts';
import type { TransactionRow } from '../../../server/transactions/store.ts';
import type { ActionRequest, LineCount, LineItem, TransactionStatus } from '../../../shared/wire/transaction.ts';
import { firstSeed, isNightly } from '../../support/campaign.ts';
import { describeOnEveryEngine, createDatabaseUrl } from '../../support/databases.ts';
import { givenBuying } from '../../support/purchases.ts';
import { type SeededRandom, seededRandom } from '../../support/random.ts';

const lifetimes = { pendingDays: 7, authorizedDays: 90 };
const onError = (thrown: unknown) => {
  throw thrown;
};
const SKUS = ['A', 'B', ''];
const SEEDS = Array.from({ length: isNightly ? 500 : 12 }, (_, index) => firstSeed + index);

/** What may follow a status, as the interface and our decisions say, written down a second time. */
const followers: Record<TransactionStatus, TransactionStatus[]> = {
  PENDING: ['PENDING', 'AUTHORIZED', 'CANCELED', 'EXPIRED'],
  AUTHORIZED: ['AUTHORIZED', 'SETTLED', 'CANCELED', 'EXPIRED'],
  SETTLED: ['SETTLED', 'REFUNDED'],
  CANCELED: ['CANCELED'],
  REFUNDED: ['REFUNDED'],
  EXPIRED: ['EXPIRED'],
};

/** Which statuses answer an action with success. */
const takers: Record<string, TransactionStatus[]> = {
  authorize: ['PENDING'],
  settle: ['AUTHORIZED'],
  cancel: ['PENDING', 'AUTHORIZED'],
  refund: ['SETTLED'],
};

function givenLines(random: SeededRandom): LineItem[] {
  return Array.from({ length: random.integer(0, 4) }, (_, index) => {
    const sku = SKUS[random.integer(0, 2)]!;
    const product = { name: '', sku, imageUrl: '', detailUrl: '' };
    return { id: `${index + 1}`, sku, price: random.magnitude(1, 50_000) - 1, quantity: random.integer(1, 4), product };
  });
}

/** As often as not a part of what is left, and sometimes more than there ever was. */
function givenRequest(random: SeededRandom, row: TransactionRow): ActionRequest {
  const type = (['authorize', 'settle', 'cancel', 'cancel', 'refund', 'refund'] as const)[random.integer(0, 5)]!;
  if (type === 'settle') return { type };
  const chance = random.fraction();
  if (type === 'authorize') return { type, merchantOrderId: undefined, lineItems: chance < 0.2 ? givenLines(random) : undefined };
  const lineItems = Array.from({ length: random.integer(1, 2) }, (): LineCount => {
    const sku = chance < 0.9 ? SKUS[random.integer(0, 2)]! : 'UNKNOWN';
    return { sku, quantity: random.integer(1, chance < 0.3 ? 6 : 2) };
  });
  const most = chance < 0.15 ? 2 * row.total_cents : Math.max(1, Math.ceil(row.adjusted_total_cents / 3));
  const amount = random.integer(0, most);
  if (chance < 0.1) return { type, amount: undefined, lineItems: undefined };
  if (chance < 0.5) return { type, amount, lineItems: undefined };
  return { type, amount: chance < 0.6 ? amount : undefined, lineItems };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const piecesOf = (lines: readonly LineCount[], sku: string) =>
  sum(lines.filter((line) => line.sku === sku).map(({ quantity }) => quantity));

describeOnEveryEngine('Whatever is sent, in whatever order,', (engine) => {
  let url: string;
  let database: Database;
  beforeAll(async () => {
    const given = await createDatabaseUrl(engine);
    url = given.url;
    database = openDatabase(url);
    await database.migrate();
    return async () => {
      await database.close();
      await given.remove();
    };
  });
  const seen = new Set<string>();
  let ran = 0;
  const reopen = async () => {
    await database.close();
    database = openDatabase(url);
  };
  const rowOf = (id: string) =>
    database.query.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** What must hold of a transaction at any moment, by its row and by its journal. */
  const requireSound = async (id: string): Promise<TransactionRow> => {
    const row = await rowOf(id);
    const events = database.query.selectFrom('transaction_events').selectAll().where('transaction_id', '=', id);
    const journal = await events.orderBy('sequence').execute();
    const back = journal.filter(({ type }) => type === 'canceled' || type === 'refunded');
    const adjusted = back.flatMap(({ lines_json }) => JSON.parse(lines_json) as LineCount[]);
    const lines = JSON.parse(row.line_items_json) as LineItem[];

    expect(row.adjusted_total_cents).toBeGreaterThanOrEqual(0);
    expect(row.adjusted_total_cents).toBeLessThanOrEqual(row.total_cents);
    expect(row.lines_worth_cents).toBeLessThanOrEqual(row.total_cents);
    expect(row.adjusted_total_cents).toBe(row.total_cents - sum(back.map(({ amount_cents }) => amount_cents)));
    expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1));
    expect(row.revision).toBe(journal.length);
    for (const sku of new Set(adjusted.map((line) => line.sku))) {
      expect(piecesOf(adjusted, sku), `pieces of "${sku}"`).toBeLessThanOrEqual(piecesOf(lines, sku));
    }
    if (row.status === 'CANCELED' || row.status === 'REFUNDED') expect(row.adjusted_total_cents).toBe(0);
    else expect(row.adjusted_total_cents).toBeGreaterThan(0);
    return row;
  };

  describe.each(SEEDS)('with the seed %i,', (seed) => {
    it('no cent and no piece is lost or adjusted twice', async () => {
      const random = seededRandom(seed);
      let now: Instant = '2026-11-21T09:30:00.000000Z';
      const { merchantId, givenPurchase } = await givenBuying(database, now);
      const ids: string[] = [];
      for (let count = 0; count < 4; count++) {
        const discounts = random.fraction() < 0.5 ? [] : [{ amount: random.integer(1, 9_999), description: 'Less' }];
        const purchase = {
          total_cents: random.magnitude(1, 200_000),
          shipping_cents: random.integer(0, 999),
          tax_cents: random.fraction() < 0.5 ? null : random.integer(0, 5_000),
          line_items_json: JSON.stringify(givenLines(random)),
          discounts_json: JSON.stringify(discounts),
        };
        ids.push(await givenPurchase(purchase));
      }

      for (let step = 0; step < 60; step++) {
        const id = ids[random.integer(0, ids.length - 1)]!;
        const stored = await rowOf(id);
        const before = await readTransactionAt(database.query, lifetimes, { merchantId, id }, now);
        const chance = random.fraction();
        if (chance < 0.05) await reopen();
        else if (chance < 0.1) now = plusDays(now, random.integer(1, 12));
        else if (chance < 0.13) await expireLapsed({ database, lifetimes, now, onError });
        else if (chance < 0.17)
          await setOrderId(
            { database, lifetimes, actor: 'key:12345678' },
            { merchantId, id },
            { merchantOrderId: `M-${step}` },
            now,
          );
        else if (chance < 0.21) {
          const shipment = { trackingNumber: `T-${step}`, carrierName: undefined };
          await updateShipment({ database, lifetimes, actor: 'key:12345678' }, { merchantId, id }, shipment, now).catch(
            requireRejection,
          );
        } else {
          const request = givenRequest(random, before);
          const result = await act({ database, lifetimes, actor: 'key:12345678' }, { merchantId, id }, request, now).catch(
            requireRejection,
          );
          seen.add(`${request.type} ${result ? 'from' : 'refused from'} ${before.status}`);
          if (result) expect(takers[request.type]).toContain(before.status);
          // A rejected action changes nothing.
          else expect(await rowOf(id)).toEqual(stored);
        }
        const after = await requireSound(id);
        expect(followers[before.status]).toContain(after.status === stored.status ? before.status : after.status);
      }

      for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
      ran += 1;
    });
  });

  // Of the histories that were run: with none of them, or one alone, there is nothing to say.
  afterAll(() => {
    if (ran < SEEDS.length) return;
    const tried = (type: string, status: TransactionStatus) =>
      `${type} ${takers[type]!.includes(status) ? 'from' : 'refused from'} ${status}`;
    const all = Object.keys(takers).flatMap((type) =>
      Object.keys(followers).map((status) => tried(type, status as TransactionStatus)),
    );
    expect([...seen], 'each action was tried in each status').toEqual(expect.arrayContaining(all));
  });
});

function requireRejection(thrown: unknown): undefined {
  expect(thrown).toBeInstanceOf(ServiceError);
  expect((thrown as ServiceError).code).toMatch(/^(wrong-state|amount-too-large|quantity-too-large|line-items-in-use)$/);
}
