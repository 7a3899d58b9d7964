import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { type CartFilters, countCarts, listCarts } from '../../../../server/purchases/carts/store.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import type { NewestFirst } from '../../../../server/db/newest-first.ts';
import { createBuyer } from '../../../support/purchases.ts';
import { type Instant, plusMs } from '../../../../server/base/time.ts';
import { listTransactions, type TransactionFilters } from '../../../../server/purchases/transactions/list-store.ts';
import { countInStatus, sumPurchases } from '../../../../server/purchases/transactions/store.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { testKeys } from '../../../support/data-keys.ts';
import { createDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { type Planner, plannerOf } from '../../../support/programs.ts';

const FIRST: Instant = '2026-01-01T00:00:00.000000Z';
const ROWS = 4_000;
const idAt = (number: number) => `77777777-7777-4777-8777-${String(number).padStart(12, '0')}`;

/** Returns pages with each combination of bounds, and whether the index is entered at a position. */
const pages: { page: NewestFirst; isEntered: boolean }[] = [undefined, { createdAt: plusMs(FIRST, 9_000), id: idAt(9) }].flatMap(
  (after) =>
    [{}, { createdFrom: FIRST, createdBefore: plusMs(FIRST, 3_600_000) }].map((range) => ({
      page: { limit: 11, after, ...range },
      isEntered: after !== undefined,
    })),
);

function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((subsets, item) => [...subsets, ...subsets.map((some) => [...some, item])], [[]]);
}

const transactionFilters = {
  cartId: idAt(7),
  orderRef: 'order-7',
  merchantOrderId: 'merchant-order-7',
  email: 'ada@example.com',
  totalCents: 5_000,
  status: 'SETTLED',
} as const satisfies TransactionFilters;

const indexOf = {
  cartId: { sqlite: 'sqlite_autoindex_transactions_2', postgres: 'transactions_cart_id_key' },
  orderRef: 'transactions_of_order_ref',
  merchantOrderId: 'transactions_of_merchant_order_id',
  email: 'transactions_of_email_hash',
  totalCents: 'transactions_of_total',
  status: 'transactions_of_status',
} as const;

const cartFilters = {
  orderRef: 'order-7',
  email: 'ada@example.com',
  statuses: ['OPEN', 'EXPIRED'],
} as const satisfies CartFilters;
const cartIndexOf = { orderRef: 'carts_of_order_ref', email: 'carts_of_email_hash', statuses: 'carts_of_status' } as const;

describeOnEveryEngine('A list of the merchant API', (engine) => {
  let merchantId: string;
  const planners: Record<'transactions' | 'carts', Planner | undefined> = { transactions: undefined, carts: undefined };

  beforeAll(async () => {
    const url = await createDatabaseUrl(engine);
    merchantId = await fill(url);
    for (const table of ['transactions', 'carts'] as const) {
      const planner = plannerOf(engine, url, table);
      planners[table] = planner;
      onCleanup(() => planner.close());
    }
  });

  it.each(subsetsOf(Object.keys(transactionFilters) as (keyof typeof transactionFilters)[]))(
    'of transactions reads one index, from its position on, with the filters %s %s %s %s %s %s',
    async (...named) => {
      const names = named.filter((name) => name !== undefined);
      const filters = Object.fromEntries(names.map((name) => [name, transactionFilters[name]]));
      const [by] = names;
      const index = by ? indexOf[by] : 'transactions_of_merchant';
      for (const { page, isEntered } of pages) {
        const plan = await planners.transactions!.planOf((query) => listTransactions(query, merchantId, filters, page));
        expect(plan.indexes).toEqual([typeof index === 'string' ? index : index[engine]]);
        // A cart has one transaction.
        if (by === 'cartId') continue;
        expect(plan).toMatchObject({ sorts: false, isKeyset: isEntered });
      }
    },
  );

  it.each<[string, TransactionFilters, string[] | Record<typeof engine, string[]>]>([
    ['a range of times', { status: 'PENDING', statusAfter: FIRST, statusUntil: FIRST }, ['transactions_of_status_since']],
    ['words', { words: ['ada', 'lovelace'] }, []],
    ['a phone number and a status', { phone: '5550100177', status: 'PENDING' }, []],
    [
      'a short reference',
      { applicationIdEnd: idAt(7).slice(26) },
      { sqlite: ['sqlite_autoindex_transactions_3'], postgres: ['transactions_application_id_key'] },
    ],
  ])('of transactions reads only those that %s may select', async (_name, filters, indexes) => {
    for (const { page } of pages) {
      const plan = await planners.transactions!.planOf((query) => listTransactions(query, merchantId, filters, page));
      expect(plan.indexes).toEqual(Array.isArray(indexes) ? indexes : indexes[engine]);
    }
  });

  it.each(subsetsOf(Object.keys(cartFilters) as (keyof typeof cartFilters)[]))(
    'of carts reads one index, from its position on, with the filters %s %s %s',
    async (...named) => {
      const names = named.filter((name) => name !== undefined);
      const filters: CartFilters = Object.fromEntries(names.map((name) => [name, cartFilters[name]]));
      const [by] = names;
      for (const { page, isEntered } of pages) {
        const plan = await planners.carts!.planOf((query) => listCarts(query, merchantId, filters, page));
        expect(plan).toEqual({ indexes: [by ? cartIndexOf[by] : 'carts_of_merchant'], sorts: false, isKeyset: isEntered });
      }
    },
  );

  it.each([{}, { statuses: ['OPEN'] }, { email: 'ada@example.com' }] satisfies CartFilters[])(
    'of carts of users reads their index, with the filter %j',
    async (filters) => {
      for (const { page, isEntered } of pages) {
        const filtered = { ...filters, isOfUser: true };
        const plan = await planners.carts!.planOf((query) => listCarts(query, merchantId, filtered, page));
        expect(plan).toEqual({ indexes: ['carts_of_users'], sorts: false, isKeyset: isEntered });
      }
    },
  );

  it('is counted by an index', async () => {
    const periods = [{ from: FIRST, before: plusMs(FIRST, 60_000) }];
    const carts = await planners.carts!.planOf((query) => countCarts(query, merchantId, periods));
    expect(carts.indexes).toEqual(['carts_of_merchant']);
    const purchases = await planners.transactions!.planOf((query) => sumPurchases(query, merchantId, periods));
    expect(purchases.indexes).toEqual(['transactions_of_merchant']);
    for (const until of [undefined, plusMs(FIRST, 3_000_000)]) {
      const waiting = { after: plusMs(FIRST, -1), until, limit: 9 };
      const plan = await planners.transactions!.planOf((query) => countInStatus(query, merchantId, 'PENDING', waiting));
      expect(plan).toMatchObject({ indexes: ['transactions_of_status'], sorts: false });
    }
  });
});

/** Stores transactions of four merchants, enough for statistics that make PostgreSQL use indexes. Their sealed values cannot be opened. */
async function fill(url: string): Promise<string> {
  const database = openDatabase(url, testKeys);
  await database.migrate();
  const buyers: Awaited<ReturnType<typeof createBuyer>>[] = [];
  for (let count = 0; count < 4; count++) buyers.push(await createBuyer(database, FIRST));
  for (const buyer of buyers) await buyer.createPurchase();
  const { query } = database;
  const cart = await query.selectFrom('carts').selectAll().executeTakeFirstOrThrow();
  const application = await query.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
  const transaction = await query.selectFrom('transactions').selectAll().executeTakeFirstOrThrow();
  const statuses = ['PENDING', 'AUTHORIZED', 'SETTLED', 'CANCELED'] as const;
  const numbers = Array.from({ length: ROWS }, (_, number) => number);
  await database.write(async (tx) => {
    for (let start = 0; start < ROWS; start += 500) {
      const part = numbers.slice(start, start + 500).map((number) => {
        const id = idAt(number);
        const { merchantId } = buyers[number % 4]!;
        return {
          number,
          id,
          common: { id, merchantId, createdAt: plusMs(FIRST, number * 1_000), emailHash: `hash-${number % 900}` },
        };
      });
      await tx
        .insertInto('carts')
        .values(
          part.map(({ number, id, common }) => ({
            ...cart,
            ...common,
            codeHash: id.padEnd(64, '0'),
            orderRef: `order-${number % 900}`,
          })),
        )
        .execute();
      await tx
        .insertInto('applications')
        .values(part.map(({ id, common: { merchantId } }) => ({ ...application, id, merchantId, cartId: id })))
        .execute();
      await tx
        .insertInto('transactions')
        .values(
          part.map(({ number, id, common }) => ({
            ...transaction,
            ...common,
            cartId: id,
            applicationId: id,
            status: statuses[number % 3]!,
            orderRef: `order-${number % 900}`,
            merchantOrderId: `merchant-order-${number % 900}`,
            totalCents: 5_000 + (number % 900),
            adjustedTotalCents: 5_000 + (number % 900),
          })),
        )
        .execute();
    }
  });
  if (database.engine === 'postgres')
    for (const table of ['carts', 'transactions']) await sql`vacuum analyze ${sql.table(table)}`.execute(query);
  await database.close();
  return buyers[0]!.merchantId;
}
