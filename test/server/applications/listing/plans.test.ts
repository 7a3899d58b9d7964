import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Listing } from '../../../../server/applications/listing/filters.ts';
import { listApplications } from '../../../../server/applications/listing/store.ts';
import { openDatabase } from '../../../../server/db/database.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { getMerchant } from '../../../../server/merchants/store.ts';
import { plusDays } from '../../../../server/time.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { describeOnEveryEngine, createDatabaseUrl } from '../../../support/databases.ts';
import { type Planner, plannerOf } from '../../../support/programs.ts';
import { applicationRow, cartRow } from '../../../support/purchases.ts';
import { seededRandom } from '../../../support/random.ts';

const FIRST_DAY = '2026-01-01T00:00:00.000000Z';
const CODES = ['100000', '200000', '300100', '610000', '700100', '800100'];

/** What a list may be narrowed to. */
const KEYS = ['merchantId', 'programId', 'buyerId', 'addressHash'] as const;
type Known = Required<Pick<Listing, 'tenantId' | (typeof KEYS)[number]>>;

describeOnEveryEngine('A list of applications', (engine) => {
  let planner: Planner;
  let known: Known;

  beforeAll(async () => {
    const { url, remove } = await createDatabaseUrl(engine);
    known = await givenApplications(url);
    planner = plannerOf(engine, url, 'applications');
    onCleanup(async () => {
      await planner.close();
      await remove();
    });
  }, 60_000);

  const kinds = choicesOf(KEYS).map((keys) => ({ keys, of: ['tenant', ...keys].join(', ') }));
  it.each(kinds)('of $of uses an index to filter and to sort', { timeout: 60_000 }, async ({ keys }) => {
    const found: string[] = [];
    const expected: string[] = [];
    for (const listing of listingsOf(known, keys)) {
      const plan = await planner.planOf((query) => listApplications(query, listing));
      const { index, sorts } = expectedOf(listing);
      const message = nameOf(listing);
      expected.push(`${message}: ${index}${sorts ? ', sorts' : listing.after ? ', entered' : ''}`);
      // PostgreSQL may as well skip from code to code in an index that has them, where all that it finds is sorted anyhow.
      const maySkip = engine === 'postgres' && sorts && !listing.codes;
      const indexes = maySkip ? plan.indexes.map((name) => name.replace('_of_status_', '_of_tenant_')) : plan.indexes;
      found.push(`${message}: ${indexes.join(' and ')}${plan.sorts ? ', sorts' : plan.isKeyset ? ', entered' : ''}`);
    }
    expect(found).toEqual(expected);
  });
});

/** The table of decisions/0031. */
function expectedOf({ merchantId, programId, buyerId, addressHash, codes, updatedFrom, updatedBefore, sort }: Listing) {
  const isByCreation = sort.by === 'created_at';
  if (buyerId) return { index: 'applications_of_buyer', sorts: !isByCreation };
  if (addressHash) return { index: 'applications_of_address', sorts: !isByCreation };
  const isRange = updatedFrom !== undefined || updatedBefore !== undefined;
  const ofMerchant = codes ? 'merchant_status' : 'merchant';
  const ofTenant = codes ? 'status' : 'tenant';
  const of = programId ? 'program_status' : merchantId ? ofMerchant : ofTenant;
  return {
    index: `applications_of_${of}_by_${isRange || !isByCreation ? 'updated' : 'created'}`,
    sorts: isRange && isByCreation,
  };
}

/** Every sort, with no code, one and several, within a range of days and not, on the first page and on another. */
function listingsOf(known: Known, keys: readonly (keyof Known)[]): Listing[] {
  const page = { tenantId: known.tenantId, limit: 11, offset: 0, withMetadata: false };
  const narrowed = { ...page, ...Object.fromEntries(keys.map((key) => [key, known[key]])) };
  const sorts = (['created_at', 'updated_at'] as const).flatMap((by) =>
    (['asc', 'desc'] as const).map((direction) => ({ by, direction })),
  );
  return sorts.flatMap((sort) =>
    [undefined, ['610000'], CODES.slice(1)].flatMap((codes) =>
      [{}, { updatedFrom: plusDays(FIRST_DAY, 20), updatedBefore: plusDays(FIRST_DAY, 60) }].flatMap((range) =>
        [undefined, { timestamp: plusDays(FIRST_DAY, 40), id: '77777777-7777-4777-8777-777777777777' }].map((after) => {
          const listing: Listing = { ...narrowed, sort, codes, ...range, after };
          // Where a page is entered, there is no other bound on that side.
          if (after && sort.by === 'updated_at') delete listing[sort.direction === 'asc' ? 'updatedFrom' : 'updatedBefore'];
          return listing;
        }),
      ),
    ),
  );
}

function nameOf({ sort, codes, updatedFrom, updatedBefore, after }: Listing): string {
  const range = updatedFrom ?? updatedBefore;
  return `by ${sort.by} ${sort.direction}, ${codes?.length ?? 'no'} codes${range ? ', within days' : ''}${after ? ', after' : ''}`;
}

/** Every choice of some of `items`. */
function choicesOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((all, item) => [...all, ...all.map((some) => [...some, item])], [[]]);
}

/** Enough of them for an engine that keeps statistics to see what an index is worth: eight merchants of one tenant, over 100 days. */
async function givenApplications(url: string): Promise<Known> {
  const database = openDatabase(url);
  await database.migrate();
  const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const { tenantId } = await createMerchant(database, 'sandbox', shop, FIRST_DAY);
  const sellers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { merchantId } = await createMerchant(database, 'sandbox', { ...shop, tenantId }, FIRST_DAY);
      return { tenantId, merchantId, programId: (await getMerchant(database.query, merchantId)).default_program_id };
    }),
  );
  const { integer } = seededRandom(31);
  const buyerOf = (number: number) => `buyer-${number % 2_000}`;
  const addressOf = (number: number) => `address-${number % 1_500}`;
  const rows = Array.from({ length: 8_000 }, (_, number) => {
    const at = plusDays(FIRST_DAY, integer(0, 99));
    const references = { id: `${String(number).padStart(8, '0')}-7777-4777-8777-777777777777`, ...sellers[number % 8]!, at };
    const own = { status_code: CODES[integer(0, 5)]!, updated_at: plusDays(at, integer(0, 9)) };
    const stored = { buyer_id: buyerOf(integer(0, 7_999)), normalized_address_hash: addressOf(integer(0, 7_999)) };
    return { cart: cartRow(references), application: { ...applicationRow(references), ...own, ...stored } };
  });
  await database.write(async (tx) => {
    for (let first = 0; first < rows.length; first += 500) {
      const some = rows.slice(first, first + 500);
      await tx
        .insertInto('carts')
        .values(some.map(({ cart }) => cart))
        .execute();
      await tx
        .insertInto('applications')
        .values(some.map(({ application }) => application))
        .execute();
    }
  });
  if (database.engine === 'postgres') await sql`vacuum analyze applications`.execute(database.query);
  await database.close();
  return { ...sellers[0]!, buyerId: buyerOf(1), addressHash: addressOf(1) };
}
