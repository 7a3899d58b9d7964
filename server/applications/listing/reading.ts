import { statusCodes } from '../lifecycle.ts';
import type { Listing } from './filters.ts';

/** What an application can be found by beside its tenant. */
export type Key = 'merchant_id' | 'program_id' | 'buyer_id' | 'normalized_address_hash';

/** How the rows of a listing are found (decisions/0031). */
export interface Reading {
  /** One of those in migration 0014. */
  index: string;
  /** What it begins with after the tenant, and before the code where it is by code; nothing where only the tenant is known. */
  by: Key | undefined;
  /** Everything the rows must be equal in, `by` included. */
  keys: readonly Key[];
  /** Whether the index has the status code next, so that it is read once for each of the codes. */
  isByCode: boolean;
  /** Which moment comes next in it. */
  order: 'created_at' | 'updated_at';
  /** Whether that is the order of the listing: then a page is read where it begins. */
  isInOrder: boolean;
  /** The codes the rows may have, filled up with empty ones, so that listings of almost as many share a query; undefined for all. */
  codes: readonly string[] | undefined;
}

const EVERY_CODE: readonly string[] = Object.values(statusCodes).flatMap((codes) => Object.values<string>(codes));

/** In how many codes a query may be asked. */
const CODE_COUNTS = [1, 2, 4, 8, 16, EVERY_CODE.length] as const;

/** How a listing is read with the indexes there are. */
export function readingOf(listing: Listing): Reading {
  const { merchantId, programId, buyerId, addressHash, sort, updatedFrom, updatedBefore } = listing;
  const asked = { buyer_id: buyerId, normalized_address_hash: addressHash, program_id: programId, merchant_id: merchantId };
  const keys = (Object.keys(asked) as Key[]).filter((key) => asked[key] !== undefined);
  const [by] = keys;
  if (by === 'buyer_id' || by === 'normalized_address_hash') {
    // There are few: whatever else is asked is looked up in their rows.
    const index = by === 'buyer_id' ? 'applications_of_buyer' : 'applications_of_address';
    const codes = listing.codes && filled(listing.codes);
    return { index, by, keys, isByCode: false, order: 'created_at', isInOrder: sort.by === 'created_at', codes };
  }
  // Lists of a program are too rare for an index without the code: they are by code, and every code is all of them.
  const codes = listing.codes ?? (by === 'program_id' ? EVERY_CODE : undefined);
  const order = updatedFrom !== undefined || updatedBefore !== undefined ? 'updated_at' : sort.by;
  const kind =
    by === 'program_id' ? 'program_status' : by ? (codes ? 'merchant_status' : 'merchant') : codes ? 'status' : 'tenant';
  const index = `applications_of_${kind}_by_${order === 'created_at' ? 'created' : 'updated'}`;
  return { index, by, keys, isByCode: codes !== undefined, order, isInOrder: order === sort.by, codes: codes && filled(codes) };
}

function filled(codes: readonly string[]): string[] {
  const count = CODE_COUNTS.find((most) => most >= codes.length) ?? codes.length;
  return Array.from({ length: count }, (_, index) => codes[index] ?? '');
}
