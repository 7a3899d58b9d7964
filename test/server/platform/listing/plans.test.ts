import { addApplication } from '../../../../server/lending/applications/store.ts';
import { addCart } from '../../../../server/purchases/carts/store.ts';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { endingBefore, type Listing } from '../../../../server/platform/listing/filters.ts';
import { listApplications } from '../../../../server/platform/listing/store.ts';
import { openDatabase } from '../../../../server/db/open-database.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { requireMerchant } from '../../../../server/merchants/store.ts';
import { plusDays } from '../../../../server/base/time.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { describeOnEveryEngine, createDatabaseUrl } from '../../../support/databases.ts';
import { type Planner, plannerOf } from '../../../support/programs.ts';
import { applicationRow, cartRow } from '../../../support/purchases.ts';
import { seededRandom } from '../../../support/random.ts';
import { testKeys } from '../../../support/data-keys.ts';

const FIRST_DAY = '2026-01-01T00:00:00.000000Z';
const CODES = ['100000', '200000', '300100', '610000', '700100', '800100'];

/** Filters on columns with an index. */
const KEYS = ['merchantId', 'programId', 'buyerId', 'addressHash'] as const;
type FilterValues = Required<Pick<Listing, 'tenantId' | (typeof KEYS)[number]>>;

describeOnEveryEngine('A list of applications', (engine) => {
  let planner: Planner;
  let filterValues: FilterValues;

  beforeAll(async () => {
    const url = await createDatabaseUrl(engine);
    filterValues = await createApplications(url);
    planner = plannerOf(engine, url, 'applications');
    onCleanup(() => planner.close());
  });

  const filters = subsetsOf(KEYS).map((keys) => ({ keys, names: ['tenant', ...keys].join(', ') }));
  it.each(filters)('filtered by $names uses the index of decisions/0031', async ({ keys }) => {
    const actual: string[] = [];
    const expected: string[] = [];
    for (const requested of listingsOf(filterValues, keys)) {
      // The page of a follower has an end on PostgreSQL.
      const isFollowed = engine === 'postgres' && requested.sort.direction === 'asc';
      const listing = isFollowed ? endingBefore(requested, plusDays(FIRST_DAY, 90))! : requested;
      const plan = await planner.planOf((query) => listApplications(query, listing));
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

  it('of expired ones reads those that the job has not yet processed by the time of their expiry', async () => {
    const { tenantId, merchantId } = filterValues;
    const page = { tenantId, merchantId, limit: 11, offset: 0, withMetadata: false };
    const sort = { by: 'createdAt', direction: 'desc' } as const;
    const expired = { at: plusDays(FIRST_DAY, 100), codes: ['100000', '200000'] };
    const listing: Listing = { ...page, sort, codes: ['800100', '800200', '800300'], expired };
    const { indexes } = await planner.planOf((query) => listApplications(query, listing));
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
      [{}, { updatedFrom: plusDays(FIRST_DAY, 20), updatedBefore: plusDays(FIRST_DAY, 60) }].flatMap((range) =>
        [undefined, { timestamp: plusDays(FIRST_DAY, 40), id: '77777777-7777-4777-8777-777777777777' }].map((after) => {
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

function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((all, item) => [...all, ...all.map((some) => [...some, item])], [[]]);
}

/** Stores 8,000 applications of eight merchants of one tenant over 100 days, enough for statistics that make PostgreSQL use indexes. */
async function createApplications(url: string): Promise<FilterValues> {
  const database = openDatabase(url, testKeys);
  await database.migrate();
  const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const { tenantId } = await createMerchant(database, 'sandbox', shop, FIRST_DAY);
  const sellers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { merchantId } = await createMerchant(database, 'sandbox', { ...shop, tenantId }, FIRST_DAY);
      return { tenantId, merchantId, programId: (await requireMerchant(database.query, merchantId)).defaultProgramId };
    }),
  );
  const { integer } = seededRandom(31);
  const buyerOf = (number: number) => `buyer-${number % 2_000}`;
  const addressOf = (number: number) => `address-${number % 1_500}`;
  const references = Array.from({ length: 8_000 }, (_, number) => {
    const id = `${String(number).padStart(8, '0')}-7777-4777-8777-777777777777`;
    return { id, ...sellers[number % 8]!, at: plusDays(FIRST_DAY, integer(0, 99)) };
  });
  await database.write(async (tx) => {
    await addCart(tx, cartRow(references[0]!));
    await addApplication(tx, applicationRow(references[0]!));
    const cart = await tx.selectFrom('carts').selectAll().executeTakeFirstOrThrow();
    const application = await tx.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
    // Copies, whose sealed values cannot be opened: storing each application takes longer than all tests of this file.
    for (let start = 1; start < references.length; start += 500) {
      const copied = references.slice(start, start + 500);
      const carts = copied.map(({ id, merchantId, programId, at }) => {
        return { ...cart, id, merchantId, programId, codeHash: id.padEnd(64, '0'), createdAt: at };
      });
      await tx.insertInto('carts').values(carts).execute();
      const applications = copied.map(({ id, at, ...owner }) => ({
        ...application,
        ...owner,
        id,
        cartId: id,
        createdAt: at,
        updatedAt: plusDays(at, integer(0, 9)),
        statusCode: CODES[integer(0, 5)]!,
        buyerId: buyerOf(integer(0, 7_999)),
        normalizedAddressHash: addressOf(integer(0, 7_999)),
      }));
      await tx.insertInto('applications').values(applications).execute();
    }
  });
  if (database.engine === 'postgres') await sql`vacuum analyze applications`.execute(database.query);
  await database.close();
  return { ...sellers[0]!, buyerId: buyerOf(1), addressHash: addressOf(1) };
}
