/** Plans of the lists of transactions, carts and applications, with each combination of filters. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type CartFilters, countCarts, listCarts } from '../../../server/purchases/carts/store.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import type { NewestFirst } from '../../../server/db/newest-first.ts';
import { endingBefore, type Listing } from '../../../server/platform/listing/filters.ts';
import { listApplications } from '../../../server/platform/listing/store.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { requireMerchant } from '../../../server/merchants/store.ts';
import { type Instant, plusDays, plusMs } from '../../../server/base/time.ts';
import { listTransactions, type TransactionFilters } from '../../../server/purchases/transactions/list-store.ts';
import { countWithSharedOrderRef, listOtherPurchases } from '../../../server/purchases/transactions/other-purchases-store.ts';
import { countInStatus, sumPurchases } from '../../../server/purchases/transactions/store.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { testKeys } from '../../support/data-keys.ts';
import { createDatabaseUrl, describeOnEveryEngine } from '../../support/databases.ts';
import { plannerOf } from '../../support/programs.ts';
import { createBuyer } from '../../support/purchases.ts';
import { seededRandom } from '../../support/random.ts';
import { subsetsOf } from '../../support/tables.ts';

const FIRST: Instant = '2026-01-01T00:00:00.000000Z';
const idAt = (number: number) => `77777777-7777-4777-8777-${String(number).padStart(12, '0')}`;

/** Returns pages with each combination of bounds, and whether the index is entered at a position. */
const pages: { page: NewestFirst; isEntered: boolean }[] = [undefined, { createdAt: plusMs(FIRST, 9_000), id: idAt(9) }].flatMap(
  (after) =>
    [{}, { createdFrom: FIRST, createdBefore: plusMs(FIRST, 3_600_000) }].map((range) => ({
      page: { limit: 11, after, ...range },
      isEntered: after !== undefined,
    })),
);

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

const CODES = ['100000', '200000', '300100', '610000', '700100', '800100'];

/** Filters on columns with an index. */
const KEYS = ['merchantId', 'programId', 'buyerId', 'addressHash'] as const;
type FilterValues = Record<'tenantId' | (typeof KEYS)[number], string>;

describeOnEveryEngine('A list', async (engine) => {
  const url = await createDatabaseUrl(engine);
  const filterValues = await fill(url);
  const { merchantId } = filterValues;
  const planners = {
    transactions: plannerOf(engine, url, 'transactions'),
    // SQLite names a table by its alias.
    others: plannerOf(engine, url, engine === 'sqlite' ? 'other' : 'transactions'),
    carts: plannerOf(engine, url, 'carts'),
    applications: plannerOf(engine, url, 'applications'),
  };
  for (const planner of Object.values(planners)) onCleanup(() => planner.close());

  it.each(subsetsOf(Object.keys(transactionFilters) as (keyof typeof transactionFilters)[]))(
    'of transactions reads one index, from its position on, with the filters %s %s %s %s %s %s',
    async (...named) => {
      const names = named.filter((name) => name !== undefined);
      const filters = Object.fromEntries(names.map((name) => [name, transactionFilters[name]]));
      const [by] = names;
      const index = by ? indexOf[by] : 'transactions_of_merchant';
      for (const { page, isEntered } of pages) {
        const plan = await planners.transactions.planOf((query) => listTransactions(query, merchantId, filters, page));
        expect(plan.indexes).toEqual([typeof index === 'string' ? index : index[engine]]);
        // A cart has one transaction.
        if (by === 'cartId') continue;
        expect(plan).toMatchObject({ sorts: false, isKeyset: isEntered });
      }
    },
  );

  it.each<[string, TransactionFilters, string[] | Record<typeof engine, string[]>]>([
    ['a range of times', { status: 'PENDING', statusAfter: FIRST, statusUntil: FIRST }, ['transactions_of_status_since']],
    [
      'a reference that another one has',
      { hasSharedOrderRef: true },
      {
        sqlite: ['transactions_with_shared_order_ref'],
        postgres: ['transactions_with_shared_order_ref', 'transactions_of_order_ref'],
      },
    ],
    ['words', { words: ['ada', 'lovelace'] }, []],
    ['a phone number and a status', { phone: '5550100177', status: 'PENDING' }, []],
    [
      'a short reference',
      { applicationIdEnd: idAt(7).slice(26) },
      { sqlite: ['sqlite_autoindex_transactions_3'], postgres: ['transactions_application_id_key'] },
    ],
  ])('of transactions reads only those that %s may select', async (_name, filters, indexes) => {
    for (const { page } of pages) {
      const plan = await planners.transactions.planOf((query) => listTransactions(query, merchantId, filters, page));
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
        const plan = await planners.carts.planOf((query) => listCarts(query, merchantId, filters, page));
        expect(plan).toEqual({ indexes: [by ? cartIndexOf[by] : 'carts_of_merchant'], sorts: false, isKeyset: isEntered });
      }
    },
  );

  it.each([{}, { statuses: ['OPEN'] }, { email: 'ada@example.com' }] satisfies CartFilters[])(
    'of carts of users reads their index, with the filter %j',
    async (filters) => {
      for (const { page, isEntered } of pages) {
        const filtered = { ...filters, isOfUser: true };
        const plan = await planners.carts.planOf((query) => listCarts(query, merchantId, filtered, page));
        expect(plan).toEqual({ indexes: ['carts_of_users'], sorts: false, isKeyset: isEntered });
      }
    },
  );

  it('is counted by an index', async () => {
    const periods = [{ from: FIRST, before: plusMs(FIRST, 60_000) }];
    const carts = await planners.carts.planOf((query) => countCarts(query, merchantId, periods));
    expect(carts.indexes).toEqual(['carts_of_merchant']);
    const purchases = await planners.transactions.planOf((query) => sumPurchases(query, merchantId, periods));
    expect(purchases.indexes).toEqual(['transactions_of_merchant']);
    for (const until of [undefined, plusMs(FIRST, 3_000_000)]) {
      const waiting = { after: plusMs(FIRST, -1), until, limit: 9 };
      const plan = await planners.transactions.planOf((query) => countInStatus(query, merchantId, 'PENDING', waiting));
      expect(plan).toMatchObject({ indexes: ['transactions_of_status'], sorts: false });
    }
  });

  it('of other purchases with a reference, and of those that wait, reads their indexes', async () => {
    const others = await planners.others.planOf((query) =>
      listOtherPurchases(query, { merchantId, orderRef: 'order-7', id: idAt(7) }),
    );
    expect(others).toMatchObject({ indexes: ['transactions_of_order_ref'], sorts: false });
    const count = await planners.transactions.planOf((query) => countWithSharedOrderRef(query, merchantId, 9));
    expect(count.indexes[0]).toBe('transactions_with_shared_order_ref');
    const ofMarked = await planners.others.planOf((query) => countWithSharedOrderRef(query, merchantId, 9));
    expect(ofMarked.indexes).toContain('transactions_of_order_ref');
    expect(count.indexes).not.toContain('none');
    expect(ofMarked.indexes).not.toContain('none');
  });

  const keyFilters = subsetsOf(KEYS).map((keys) => ({ keys, names: ['tenant', ...keys].join(', ') }));
  it.each(keyFilters)('of applications filtered by $names uses the index of decisions/0031', async ({ keys }) => {
    const actual: string[] = [];
    const expected: string[] = [];
    for (const requested of listingsOf(filterValues, keys)) {
      // The page of a follower has an end on PostgreSQL.
      const isFollowed = engine === 'postgres' && requested.sort.direction === 'asc';
      const listing = isFollowed ? endingBefore(requested, plusDays(FIRST, 90))! : requested;
      const plan = await planners.applications.planOf((query) => listApplications(query, listing));
      const { index, sorts } = expectedPlanOf(listing);
      const description = describeListing(listing);
      expected.push(`${description}: ${index}${sorts ? ', sorts' : listing.after ? ', entered' : ''}`);
      // If the rows are sorted anyway, PostgreSQL can also use the index with status codes, by skipping from code to code.
      const maySkip = engine === 'postgres' && sorts && !listing.codes;
      const indexes = maySkip ? plan.indexes.map((name) => name.replace('_of_status_', '_of_tenant_')) : plan.indexes;
      actual.push(`${description}: ${indexes.join(' and ')}${plan.sorts ? ', sorts' : plan.isKeyset ? ', entered' : ''}`);
    }
    expect(actual).toEqual(expected);
  });

  it('of expired applications reads the ones that the job has not yet processed by the time of their expiry', async () => {
    const { tenantId } = filterValues;
    const page = { tenantId, merchantId, limit: 11, offset: 0, withMetadata: false };
    const sort = { by: 'createdAt', direction: 'desc' } as const;
    const expired = { at: plusDays(FIRST, 100), codes: ['100000', '200000'] };
    const listing: Listing = { ...page, sort, codes: ['800100', '800200', '800300'], expired };
    const { indexes } = await planners.applications.planOf((query) => listApplications(query, listing));
    expect(new Set(indexes)).toEqual(new Set(['applications_of_merchant_status_by_created', 'applications_by_expires_at']));
  });
});

/** The table of decisions/0031. */
function expectedPlanOf({ merchantId, programId, buyerId, addressHash, codes, updatedFrom, updatedBefore, sort }: Listing) {
  const isByCreation = sort.by === 'createdAt';
  if (buyerId) return { index: 'applications_of_buyer', sorts: !isByCreation };
  if (addressHash) return { index: 'applications_of_address', sorts: !isByCreation };
  const isRange = updatedFrom !== undefined || updatedBefore !== undefined;
  const ofMerchant = codes ? 'merchant_status' : 'merchant';
  const ofTenant = codes ? 'status' : 'tenant';
  const filter = programId ? 'program_status' : merchantId ? ofMerchant : ofTenant;
  return {
    index: `applications_of_${filter}_by_${isRange || !isByCreation ? 'updated' : 'created'}`,
    sorts: isRange && isByCreation,
  };
}

/** Returns listings in every order, with zero, one and several codes, with and without a date range, on the first and a later page. */
function listingsOf(filterValues: FilterValues, keys: readonly (keyof FilterValues)[]): Listing[] {
  const page = { tenantId: filterValues.tenantId, limit: 11, offset: 0, withMetadata: false };
  const filtered = { ...page, ...Object.fromEntries(keys.map((key) => [key, filterValues[key]])) };
  const sorts = (['createdAt', 'updatedAt'] as const).flatMap((by) =>
    (['asc', 'desc'] as const).map((direction) => ({ by, direction })),
  );
  return sorts.flatMap((sort) =>
    [undefined, ['610000'], CODES.slice(1)].flatMap((codes) =>
      [{}, { updatedFrom: plusDays(FIRST, 20), updatedBefore: plusDays(FIRST, 60) }].flatMap((range) =>
        [undefined, { timestamp: plusDays(FIRST, 40), id: '77777777-7777-4777-8777-777777777777' }].map((after) => {
          const listing: Listing = { ...filtered, sort, codes, ...range, after };
          // The cursor replaces the bound on its side.
          if (after && sort.by === 'updatedAt') delete listing[sort.direction === 'asc' ? 'updatedFrom' : 'updatedBefore'];
          return listing;
        }),
      ),
    ),
  );
}

function describeListing({ sort, codes, updatedFrom, updatedBefore, after }: Listing): string {
  const range = updatedFrom ?? updatedBefore;
  return `by ${sort.by} ${sort.direction}, ${codes?.length ?? 'no'} codes${range ? ', with a date range' : ''}${after ? ', with a cursor' : ''}`;
}

/**
 * Stores carts, applications and transactions of eight merchants of one tenant, enough for statistics that make PostgreSQL use indexes.
 * They are copies, whose sealed values cannot be opened: storing each takes longer than all tests of this file.
 */
async function fill(url: string): Promise<FilterValues> {
  const database = openDatabase(url, testKeys);
  await database.migrate();
  const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const { tenantId } = await createMerchant(database, 'sandbox', shop, FIRST);
  const sellers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { merchantId } = await createMerchant(database, 'sandbox', { ...shop, tenantId }, FIRST);
      return { tenantId, merchantId, programId: (await requireMerchant(database.query, merchantId)).defaultProgramId };
    }),
  );
  await (await createBuyer(database, FIRST, sellers[0]!.merchantId)).createPurchase();
  const cart = await database.query.selectFrom('carts').selectAll().executeTakeFirstOrThrow();
  const application = await database.query.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
  const transaction = await database.query.selectFrom('transactions').selectAll().executeTakeFirstOrThrow();
  const { integer } = seededRandom(31);
  const statuses = ['PENDING', 'AUTHORIZED', 'SETTLED', 'CANCELED'] as const;
  const rows = Array.from({ length: 8_000 }, (_, number) => {
    const id = idAt(number);
    const owner = sellers[number % 8]!;
    const { merchantId, programId } = owner;
    const common = { id, merchantId, createdAt: plusMs(FIRST, number * 1_000), emailHash: `hash-${number % 900}` };
    const orderRef = `order-${number % 900}`;
    const at = plusDays(FIRST, integer(0, 99));
    return {
      cart: { ...cart, ...common, programId, orderRef, codeHash: id.padEnd(64, '0') },
      application: {
        ...application,
        ...owner,
        id,
        cartId: id,
        createdAt: at,
        updatedAt: plusDays(at, integer(0, 9)),
        statusCode: CODES[integer(0, 5)]!,
        buyerId: `buyer-${integer(0, 1_999)}`,
        normalizedAddressHash: `address-${integer(0, 1_499)}`,
      },
      transaction: {
        ...transaction,
        ...common,
        orderRef,
        cartId: id,
        applicationId: id,
        status: statuses[number % 3]!,
        merchantOrderId: `merchant-order-${number % 900}`,
        totalCents: 5_000 + (number % 900),
        adjustedTotalCents: 5_000 + (number % 900),
      },
    };
  });
  await database.write(async (tx) => {
    for (let start = 0; start < rows.length; start += 500) {
      const part = rows.slice(start, start + 500);
      await tx
        .insertInto('carts')
        .values(part.map((row) => row.cart))
        .execute();
      await tx
        .insertInto('applications')
        .values(part.map((row) => row.application))
        .execute();
      await tx
        .insertInto('transactions')
        .values(part.map((row) => row.transaction))
        .execute();
    }
  });
  if (database.engine === 'postgres') {
    for (const table of ['carts', 'transactions', 'applications'])
      await sql`vacuum analyze ${sql.table(table)}`.execute(database.query);
  }
  await database.close();
  return { ...sellers[0]!, buyerId: 'buyer-1', addressHash: 'address-1' };
}
