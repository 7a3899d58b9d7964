import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Query } from '../../db/database.ts';
import type { ApplicationTable, Schema } from '../../db/schema.ts';
import type { Listing } from './filters.ts';

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

/**
 * The applications of a listing, in its order.
 *
 * Everything but the tenant narrows what an index finds, and the page begins where the index says: however deep it is, its rows alone are
 * read. Of several status codes each is read in that order by itself, and the first of all are taken.
 */
export async function listApplications(query: Query, listing: Listing): Promise<ListedRow[]> {
  const { sort, limit, offset, codes } = listing;
  const { by, direction } = sort;
  const among = (code?: string) =>
    query
      .selectFrom('applications')
      .where((row) => row.and([...conditions(row, listing), ...(code ? [row('status_code', '=', code)] : [])]));
  if (!codes || codes.length === 1) {
    return among(codes?.[0])
      .select(COLUMNS)
      .orderBy(by, direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset)
      .execute();
  }
  const first = (code: string) =>
    query
      .selectFrom(
        among(code)
          .select(['id', by])
          .orderBy(by, direction)
          .orderBy('id', direction)
          .limit(limit + offset)
          .as('of_code'),
      )
      .select(['id', `${by} as at`] as never);
  const [head, ...rest] = codes.map(first) as [ReturnType<typeof first>, ...ReturnType<typeof first>[]];
  const all = rest.reduce((union, other) => union.unionAll(other) as never, head);
  const page = query
    .selectFrom(all.as('all_codes'))
    .select('id' as never)
    .orderBy(sql`at`, direction)
    .orderBy(sql`id`, direction)
    .limit(limit)
    .offset(offset);
  return query
    .selectFrom('applications')
    .select(COLUMNS)
    .where('id', 'in', page as never)
    .orderBy(by, direction)
    .orderBy('id', direction)
    .execute();
}

function conditions(row: ExpressionBuilder<Schema, 'applications'>, listing: Listing) {
  const { tenantId, merchantId, programId, buyerId, addressHash, updatedFrom, updatedBefore, sort, after } = listing;
  return [
    row('tenant_id', '=', tenantId),
    ...(merchantId ? [row('merchant_id', '=', merchantId)] : []),
    ...(programId ? [row('program_id', '=', programId)] : []),
    ...(buyerId ? [row('buyer_id', '=', buyerId)] : []),
    ...(addressHash ? [row('normalized_address_hash', '=', addressHash)] : []),
    ...(updatedFrom ? [row('updated_at', '>=', updatedFrom)] : []),
    ...(updatedBefore ? [row('updated_at', '<', updatedBefore)] : []),
    ...(after
      ? [row(row.refTuple(sort.by, 'id'), sort.direction === 'asc' ? '>' : '<', row.tuple(after.timestamp, after.id))]
      : []),
  ];
}
