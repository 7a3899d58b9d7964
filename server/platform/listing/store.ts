import { type AliasableExpression, type Expression, type ExpressionBuilder, expressionBuilder, sql, type SqlBool } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { CartOptions } from '../../../shared/wire/cart.ts';
import { openSealedCart } from '../../purchases/carts/store.ts';
import type { Query } from '../../db/database.ts';
import { engineOf } from '../../db/engine.ts';
import { tableByIndex, unindexed } from '../../db/newest-first.ts';
import { prepared } from '../../db/prepared.ts';
import type { ApplicationTable, Schema } from '../../db/schema.ts';
import { lookupHash, openRows } from '../../db/sealed.ts';
import { EXPIRING_CODES } from '../../lending/applications/expiry.ts';
import { OPEN_STATUSES } from '../../lending/applications/lifecycle.ts';
import { type Application, openApplication } from '../../lending/applications/store.ts';
import type { Scope } from '../../http/context.ts';
import type { Listing } from './filters.ts';
import { type AccessPath, accessPathOf } from './access-path.ts';

const COLUMNS = [
  'id',
  'buyerId',
  'tenantId',
  'merchantId',
  'programId',
  'cartId',
  'sessionHash',
  'paymentMethodId',
  'shippingTypeId',
  'currency',
  'status',
  'statusCode',
  'sealed',
  'createdAt',
  'updatedAt',
  'expiresAt',
] as const satisfies readonly (keyof ApplicationTable)[];

/** An application with the sealed values of its cart. */
export type StoredRow = Pick<ApplicationTable, (typeof COLUMNS)[number]> & {
  cartCodeHash: string;
  sealedCart: string;
  /** The transaction of its cart, which is that of the cart's completed application. */
  transactionId: string | null;
};

/** The columns of an application that are listed, and the options of its cart. */
export type ListedApplication = Omit<StoredRow, 'sealed' | 'sessionHash' | 'cartCodeHash' | 'sealedCart'> &
  Pick<Application, 'offers' | 'billingContact' | 'shippingContact' | 'paymentAgreements' | 'metadata'> & {
    options: CartOptions;
  };

/** Parameters of a page query, in addition to the status codes. Those that a listing does not use are undefined. */
const PARAMETERS = [
  'tenantId',
  'merchantId',
  'programId',
  'buyerId',
  'addressHash',
  'updatedFrom',
  'updatedBefore',
  'createdBefore',
  'openAfter',
  'unexpiredAt',
  'expiredAt',
  'lastTimestamp',
  'lastId',
  'limit',
  'offset',
  /** Maximum number of rows from each part of a union: `limit` plus `offset`. */
  'partLimit',
] as const;

/** The codes of applications that can expire. */
const CODES = EXPIRING_CODES.map(({ code }) => code);

/** Placeholders for the parameters when a query is built, which does not depend on their values. */
type Placeholders = Record<(typeof PARAMETERS)[number], never>;

type PageQuery = (query: Query, ...values: unknown[]) => Promise<StoredRow[]>;

/**
 * Prepared queries by shape: the order, the number of status codes, and the parameters that have a value. Building one takes longer than
 * running it on SQLite. Each takes up to 10 kB, and real clients use far fewer shapes.
 */
const queries = new LRUCache<string, PageQuery>({ max: 200 });

/**
 * Returns the applications of a listing, in its order.
 *
 * `access-path.ts` chooses the index. If the index has the order of the listing, only the rows of the page are read, at any depth. Several
 * status codes are read separately and merged, and so are the few applications that have expired and that the job has not yet processed.
 */
export async function listApplications(query: Query, listing: Listing): Promise<StoredRow[]> {
  const { sort, after, limit, offset } = listing;
  const path = accessPathOf(listing);
  const codes = path.codes ?? [];
  const addressHash = listing.addressHash && (await lookupHash(query, 'address', listing.addressHash));
  const position = { lastTimestamp: after?.timestamp, lastId: after?.id, partLimit: limit + offset };
  const parameters = { ...listing, ...position, addressHash, expiredAt: listing.expired?.at };
  const values = PARAMETERS.map((name) => parameters[name]);
  const shape = [sort.by, sort.direction, codes.length, ...values.map((value) => (value === undefined ? '' : '?'))].join();
  const run = queries.get(shape) ?? preparedPage(listing, path);
  queries.set(shape, run);
  // Padded to the number of all such codes, so that all queries share a statement.
  const expired = listing.expired && EXPIRING_CODES.map((_, index) => listing.expired?.codes[index] ?? '');
  return run(query, ...values, ...codes, ...(expired ?? []));
}

/** Returns an application of a scope. */
export async function findListed(query: Query, scope: Scope, id: string): Promise<StoredRow | undefined> {
  const { tenantId, ...rest } = scope;
  const row = await query
    .selectFrom('applications')
    .select(COLUMNS)
    .select(cartColumns)
    .where('id', '=', id)
    .where(unindexed('tenantId'), '=', tenantId)
    .executeTakeFirst();
  const isWithin = row && SCOPED.every((name) => rest[name] === undefined || rest[name] === row[name]);
  return isWithin ? row : undefined;
}

const SCOPED = ['merchantId', 'programId', 'buyerId'] as const;

/** Prepares the query of a page. Its arguments are the values of `PARAMETERS`, the status codes, and those of expired applications. */
function preparedPage(listing: Listing, path: AccessPath): PageQuery {
  return prepared((query, ...placeholders: unknown[]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a placeholder can represent any value
    const untyped = placeholders as never[];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    const named = Object.fromEntries(PARAMETERS.map((name, index) => [name, untyped[index]])) as Placeholders;
    return pageQuery(query, listing, path, named, untyped.slice(PARAMETERS.length));
  });
}

/** Opens the applications of a page. Leaves damaged ones out, and those whose cart is damaged or of another merchant. */
export function openListed(query: Query, page: readonly StoredRow[]): Promise<ListedApplication[]> {
  return openRows(query, page, ({ cartCodeHash: codeHash, sealedCart: sealed, ...row }) => {
    const { options } = openSealedCart(query, { id: row.cartId, merchantId: row.merchantId, codeHash, sealed });
    return { ...openApplication(query, row), options };
  });
}

const { and, eb } = expressionBuilder<Schema, 'applications'>();

/** Builds the query of a page. It depends on which filters `listing` has, not on their values. */
function pageQuery(query: Query, listing: Listing, path: AccessPath, values: Placeholders, codes: never[]) {
  const { by, direction } = listing.sort;
  // A program has one merchant, so a merchant filter matches all of its applications or none. It is applied to the page only.
  const isPageOfMerchant = path.by === 'programId' && path.keys.includes('merchantId');
  const count = path.codes?.length ?? 0;
  const ownCodes = codes.slice(0, count);
  const matching = matchingApplications(query, listing, path, values);
  const unexpired = path.isReadByCode
    ? ownCodes.map((code) => matching.where('statusCode', '=', code))
    : [count > 0 ? matching.where(unindexed('statusCode'), 'in', ownCodes) : matching];
  const parts: Part[] = unexpired.map((rows) => ({ rows, path }));
  if (listing.expired) parts.push(expiredPart(query, listing, path, values, codes.slice(count)));

  const [onlyPart] = parts;
  if (onlyPart && parts.length === 1 && path.isSorted && !isPageOfMerchant) {
    return onlyPart.rows
      .select(COLUMNS)
      .select(cartColumns)
      .orderBy(by, direction)
      .orderBy('id', direction)
      .limit(integer(values.limit))
      .offset(integer(values.offset));
  }
  return query
    .selectFrom('applications')
    .where('id', 'in', query.selectFrom(mergedPage(query, listing, values, parts).as('page')).select('id'))
    .where(and(isPageOfMerchant ? [eb(unindexed('merchantId'), '=', values.merchantId)] : []))
    .select(COLUMNS)
    .select(cartColumns)
    .orderBy(by, direction)
    .orderBy('id', direction);
}

/** Applications that are read by an index. */
interface Part {
  rows: ReturnType<typeof matchingApplications>;
  path: AccessPath;
}

/** Selects open applications that have expired, by the index that the job uses. Another part has all others. */
function expiredPart(query: Query, listing: Listing, main: AccessPath, values: Placeholders, codes: never[]): Part {
  const path = { ...main, index: 'applications_by_expires_at', by: undefined, isSorted: false };
  const { unexpiredAt: _, ...rest } = listing;
  const rows = matchingApplications(query, rest, path, values)
    .where('status', 'in', OPEN_STATUSES)
    .where('expiresAt', '<=', values.expiredAt)
    .where(unindexed('statusCode'), 'in', codes);
  return { rows, path };
}

/**
 * Selects the applications that match the filters of `listing` except its status codes, by the index of `path`. `unindexed` prevents the use
 * of the index of another column.
 */
function matchingApplications(query: Query, listing: Listing, path: AccessPath, values: Placeholders) {
  const { merchantId, programId, buyerId, addressHash } = values;
  const wanted = { merchantId, programId, buyerId, normalizedAddressHash: addressHash };
  const keys = path.by === 'programId' ? path.keys.filter((key) => key !== 'merchantId') : path.keys;
  const updatedAt = path.order === 'updatedAt' ? eb.ref('updatedAt') : unindexed('updatedAt');
  const sorted = sortColumn(listing, path);
  const comparison = sql.raw(listing.sort.direction === 'asc' ? '>' : '<');
  const conditions = [
    eb(path.index === 'applications_by_expires_at' ? unindexed('tenantId') : 'tenantId', '=', values.tenantId),
    ...keys.map((key) => eb(key === path.by ? key : unindexed(key), '=', wanted[key])),
    listing.updatedFrom && eb(updatedAt, '>=', values.updatedFrom),
    listing.updatedBefore && eb(updatedAt, '<', values.updatedBefore),
    listing.createdBefore && sql<SqlBool>`${sorted} < ${values.createdBefore}`,
    listing.unexpiredAt && eb.or([eb(unindexed('statusCode'), 'not in', CODES), eb('expiresAt', '>', values.unexpiredAt)]),
    listing.openAfter && eb.or([eb(unindexed('status'), 'not in', OPEN_STATUSES), eb('expiresAt', '>', values.openAfter)]),
    listing.after && sql<SqlBool>`(${sorted}, id) ${comparison} (${values.lastTimestamp}, ${values.lastId})`,
  ];
  return query
    .selectFrom(tableByIndex(query, 'applications', path.index))
    .where(and(conditions.filter((condition) => condition !== undefined)));
}

/** Returns the ids of a page that is merged from parts, or sorted after all its rows were read. */
function mergedPage(query: Query, listing: Listing, values: Placeholders, parts: readonly Part[]) {
  const { direction } = listing.sort;
  // SQLite merges a sorted union from parts that an index has in that order, and reads each part only as far as needed. PostgreSQL
  // does so only where each part has an order and a limit.
  const [first, ...others] = parts.map(({ rows, path }) => {
    const isWhole = !path.isSorted || engineOf(query) === 'sqlite';
    const all = rows.select(['id', sortColumn(listing, path).as('at')]);
    const some = isWhole ? all : all.orderBy('at', direction).orderBy('id', direction).limit(integer(values.partLimit));
    return query.selectFrom(some.as('part')).select(['id', 'at']);
  });
  return others
    .reduce((union, part) => union.unionAll(part), first!)
    .orderBy('at', direction)
    .orderBy('id', direction)
    .limit(integer(values.limit))
    .offset(integer(values.offset));
}

/** Returns the timestamp that a listing is sorted by, so that the index of `path` is used for the order only if it has that order. */
function sortColumn({ sort }: Listing, path: AccessPath): AliasableExpression<string> {
  return path.isSorted ? eb.ref(sort.by) : unindexed(sort.by);
}

/** The sealed values of the application's cart, a column that they are sealed for, and its transaction. */
function cartColumns({ selectFrom }: ExpressionBuilder<Schema, 'applications'>) {
  const cart = selectFrom('carts').whereRef('carts.id', '=', 'applications.cartId');
  return [
    cart.select('carts.codeHash').$asScalar().$notNull().as('cartCodeHash'),
    cart.select('carts.sealed').$asScalar().$notNull().as('sealedCart'),
    cart.select('carts.transactionId').$asScalar().as('transactionId'),
  ] as const;
}

/** SQLite prepares a statement again whenever a plain parameter of `limit` changes. The cast prevents that. */
function integer(value: never): Expression<number> {
  return sql`cast(${value} as bigint)`;
}
