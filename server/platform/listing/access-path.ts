import { keysOf } from '../../../shared/objects.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import type { Listing } from './filters.ts';

/** Columns of equality filters, in addition to the tenant. */
export type Key = 'merchantId' | 'programId' | 'buyerId' | 'normalizedAddressHash';

/** The index by which the rows of a listing are read (decisions/0031). */
export interface AccessPath {
  /** Name of the index. */
  index: string;
  /** The column of the index after the tenant, if any. */
  by: Key | undefined;
  /** All columns of equality filters, including `by`. */
  keys: readonly Key[];
  /** True if the next column of the index is the status code. The index is then read once for each code. */
  isReadByCode: boolean;
  /** The timestamp column of the index. */
  order: 'createdAt' | 'updatedAt';
  /** True if the index has the order of the listing, so that only the rows of the page are read. */
  isSorted: boolean;
  /** Status codes to read, padded with empty ones so that queries with similar numbers of codes share a statement; undefined for all. */
  codes: readonly string[] | undefined;
}

const ALL_CODES: readonly string[] = Object.values(statusCodes).flatMap((codes) => Object.values<string>(codes));

/** Numbers of codes that a statement can have. */
const CODE_COUNTS = [1, 2, 4, 8, 16, ALL_CODES.length] as const;

/** Chooses the index for a listing. */
export function accessPathOf(listing: Listing): AccessPath {
  const { merchantId, programId, buyerId, addressHash, sort, updatedFrom, updatedBefore } = listing;
  const filters = { buyerId, normalizedAddressHash: addressHash, programId, merchantId };
  const keys = keysOf(filters).filter((key) => filters[key] !== undefined);
  const [by] = keys;
  if (by === 'buyerId' || by === 'normalizedAddressHash') {
    // A buyer or an address has few applications, whose rows are filtered.
    const index = by === 'buyerId' ? 'applications_of_buyer' : 'applications_of_address';
    const codes = listing.codes && padded(listing.codes);
    return { index, by, keys, isReadByCode: false, order: 'createdAt', isSorted: sort.by === 'createdAt', codes };
  }
  // Listings of a program are rare. They use the index with the code, for all codes.
  const codes = listing.codes ?? (by === 'programId' ? ALL_CODES : undefined);
  const order = updatedFrom !== undefined || updatedBefore !== undefined ? 'updatedAt' : sort.by;
  const index = `applications_of_${indexedColumns(by, codes)}_by_${order === 'createdAt' ? 'created' : 'updated'}`;
  return {
    index,
    by,
    keys,
    isReadByCode: codes !== undefined,
    order,
    isSorted: order === sort.by,
    codes: codes && padded(codes),
  };
}

function indexedColumns(by: 'programId' | 'merchantId' | undefined, codes: readonly string[] | undefined): string {
  if (by === 'programId') return 'program_status';
  if (by === 'merchantId') return codes ? 'merchant_status' : 'merchant';
  return codes ? 'status' : 'tenant';
}

function padded(codes: readonly string[]): string[] {
  const count = CODE_COUNTS.find((size) => size >= codes.length) ?? codes.length;
  return Array.from({ length: count }, (_, index) => codes[index] ?? '');
}
