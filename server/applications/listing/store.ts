import { type AliasableExpression, type Expression, expressionBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { Query } from '../../db/database.ts';
import { engineOf } from '../../db/engine.ts';
import { prepared } from '../../db/prepared.ts';
import type { ApplicationTable, Schema } from '../../db/schema.ts';
import type { Listing } from './filters.ts';
import { type Reading, readingOf } from './reading.ts';

const COLUMNS = [
  'id',
  'buyer_id',
  'tenant_id',
  'merchant_id',
  'program_id',
  'cart_id',
  'payment_method_id',
  'status',
  'status_code',
  'billing_contact_json',
  'shipping_contact_json',
  'order_json',
  'offers_json',
  'shown_agreements_json',
  'metadata_json',
  'created_at',
  'updated_at',
  'expires_at',
] as const satisfies readonly (keyof ApplicationTable)[];

/** What of an application is listed. */
export type ListedRow = Pick<Selectable<ApplicationTable>, (typeof COLUMNS)[number]>;

/** What a query for a page is run with, beside the codes; what its listing leaves out does not stand in it. */
const NAMES = [
  'tenantId',
  'merchantId',
  'programId',
  'buyerId',
  'addressHash',
  'updatedFrom',
  'updatedBefore',
  'lastTimestamp',
  'lastId',
  'limit',
  'offset',
  /** Of no part of a list more is wanted: `limit` and `offset` together. */
  'most',
] as const;
/** They stand for what they are called after, which they are not: a query is built without them. */
type StandIns = Record<(typeof NAMES)[number], never>;

/** Compiled queries by shape: building one takes longer than running it on SQLite. Real clients use far fewer than `MAX_QUERIES` shapes. */
const queries = new Map<string, (query: Query, ...values: unknown[]) => Promise<ListedRow[]>>();
const MAX_QUERIES = 500;

/**
 * The applications of a listing, in its order.
 *
 * `reading.ts` says by which index they are found. Where that is in the order of the listing, a page begins where the index says:
 * however deep it is, its rows alone are read. Of several status codes each is read so, and what comes first among all is taken.
 */
export async function listApplications(query: Query, listing: Listing): Promise<ListedRow[]> {
  const { sort, after, limit, offset } = listing;
  const reading = readingOf(listing);
  const codes = reading.codes ?? [];
  const asked = { ...listing, lastTimestamp: after?.timestamp, lastId: after?.id, most: limit + offset };
  const values = NAMES.map((name) => asked[name]);
  const shape = [sort.by, sort.direction, codes.length, ...values.map((value) => (value === undefined ? '' : '?'))].join();
  let run = queries.get(shape);
  if (!run) {
    if (queries.size >= MAX_QUERIES) queries.clear();
    run = prepared((on, ...standIns: unknown[]) => {
      const named = Object.fromEntries(NAMES.map((name, index) => [name, standIns[index]])) as StandIns;
      return pageQuery(on, listing, reading, named, standIns.slice(NAMES.length) as never[]);
    });
    queries.set(shape, run);
  }
  return run(query, ...values, ...codes);
}

const { and, eb } = expressionBuilder<Schema, 'applications'>();

/** The query for one page. Of `listing` it counts what is asked, and not the value it is asked with: `values` stand for those. */
function pageQuery(query: Query, listing: Listing, reading: Reading, values: StandIns, codes: never[]) {
  const { by, direction } = listing.sort;
  const { tenantId, merchantId, programId, buyerId, addressHash } = values;
  const [limit, offset, most] = [whole(values.limit), whole(values.offset), whole(values.most)];
  const wanted = { merchant_id: merchantId, program_id: programId, buyer_id: buyerId, normalized_address_hash: addressHash };
  // A program has one merchant: of its applications, the merchant's are all or none, which the page alone can tell.
  const isOfMerchant = reading.by === 'program_id' && reading.keys.includes('merchant_id');
  const keys = reading.keys.filter((key) => !isOfMerchant || key !== 'merchant_id');
  const updatedAt = reading.order === 'updated_at' ? eb.ref('updated_at') : unindexed('updated_at');
  const sorted: AliasableExpression<string> = reading.isInOrder ? eb.ref(by) : unindexed(by);
  const past = sql<SqlBool>`(${sorted}, id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${values.lastTimestamp}, ${values.lastId})`;
  const found = selectByIndex(query, reading.index).where(
    and([
      eb('tenant_id', '=', tenantId),
      ...keys.map((key) => eb(key === reading.by ? key : unindexed(key), '=', wanted[key])),
      ...(listing.updatedFrom ? [eb(updatedAt, '>=', values.updatedFrom)] : []),
      ...(listing.updatedBefore ? [eb(updatedAt, '<', values.updatedBefore)] : []),
      ...(listing.after ? [past] : []),
    ]),
  );

  const ofCodes = codes.length > 0 ? found.where(unindexed('status_code'), 'in', codes) : found;
  const [first, ...others] = reading.isByCode ? codes.map((code) => found.where('status_code', '=', code)) : [ofCodes];
  if (reading.isInOrder && others.length === 0 && !isOfMerchant) {
    return first!.select(COLUMNS).orderBy(by, direction).orderBy('id', direction).limit(limit).offset(offset);
  }
  const ids = (part: typeof found) => {
    const all = part.select(['id', sorted.as('at')]);
    // SQLite merges a sorted union from parts that an index has in that order, and reads each part only as far as needed. PostgreSQL
    // does so only where each part has an order and a limit.
    const isWhole = !reading.isInOrder || engineOf(query) === 'sqlite';
    const some = isWhole ? all : all.orderBy('at', direction).orderBy('id', direction).limit(most);
    return query.selectFrom(some.as('part')).select(['id', 'at']);
  };
  const page = others
    .reduce((union, part) => union.unionAll(ids(part)), ids(first!))
    .orderBy('at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset);
  return query
    .selectFrom('applications')
    .where('id', 'in', query.selectFrom(page.as('page')).select('id'))
    .where(and(isOfMerchant ? [eb(unindexed('merchant_id'), '=', merchantId)] : []))
    .select(COLUMNS)
    .orderBy(by, direction)
    .orderBy('id', direction);
}

/**
 * Selects applications by an index. SQLite has no statistics here and could pick another index, so the query names the index, and
 * SQLite rejects a query that the index cannot answer. PostgreSQL chooses by its statistics.
 */
function selectByIndex(query: Query, index: string) {
  const table = engineOf(query) === 'sqlite' ? `applications indexed by ${index}` : 'applications';
  return query.selectFrom(sql<ApplicationTable>`applications`.as<'applications'>(sql.raw(table)));
}

/** A column by whose index nothing is to be looked for: it would be read on and on for the few rows that everything else is true of. */
function unindexed(column: keyof ApplicationTable): AliasableExpression<string> {
  return sql`${sql.ref(column)} || ''`;
}

/** A number that is bound by itself as a limit is looked at by SQLite when it plans: it would plan anew each time it is bound. */
function whole(value: never): Expression<number> {
  return sql`cast(${value} as bigint)`;
}
