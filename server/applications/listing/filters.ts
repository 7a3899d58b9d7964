import type { ApplicationSort } from '../../../shared/wire/application-query.ts';
import { type Instant, microsecondsOf, plusDays } from '../../time.ts';
import { parametersOf } from './parameters.ts';
import { merchantAskedFor, type Scope } from './scope.ts';
import { codesAskedFor } from './shown-codes.ts';

/** Filters, order and page of a list of applications, fully resolved from the query and the scope. */
export interface Listing {
  tenantId: string;
  merchantId?: string | undefined;
  programId?: string | undefined;
  buyerId?: string | undefined;
  addressHash?: string | undefined;
  /** Stored status codes; left out, all. */
  codes?: readonly string[] | undefined;
  /** Inclusive lower and exclusive upper bound. */
  updatedFrom?: Instant | undefined;
  updatedBefore?: Instant | undefined;
  sort: { by: 'created_at' | 'updated_at'; direction: 'asc' | 'desc' };
  /** The last application of the previous page. */
  after?: { timestamp: Instant; id: string } | undefined;
  limit: number;
  offset: number;
  withMetadata: boolean;
}

/**
 * Converts a query to a listing restricted to `scope`; undefined if nothing can match.
 *
 * @param query - Parameters by their names, a list for one that was given more than once.
 * @throws ServiceError `invalid-parameter` - names the first parameter that cannot be used; `merchant-conflict`
 */
export function listingOf(query: Readonly<Record<string, unknown>>, scope: Scope): Listing | undefined {
  const asked = parametersOf(query);
  const [lastTimestamp, lastId] = [asked['lastTimestamp.eq'], asked['lastID.eq']];
  const buyerId = asked['buyerID.eq']?.toLowerCase();
  const codes = codesAskedFor(
    {
      status: asked['status.eq'],
      codes: asked['statusCode.eq'],
      notCodes: asked['statusCode.ne'],
      showExpired: asked['showExpired.eq'] !== 'false',
    },
    scope,
  );
  const merchantId = merchantAskedFor(scope, asked['merchantID.eq']?.toLowerCase());
  const isOthers = scope.buyerId !== undefined && buyerId !== undefined && scope.buyerId !== buyerId;
  if (codes?.length === 0 || isOthers) return undefined;
  const [by, direction] = sortOf(asked.sort);
  return tightened({
    tenantId: scope.tenantId,
    merchantId,
    programId: scope.programId,
    buyerId: scope.buyerId ?? buyerId,
    addressHash: asked['normalizedAddressHash.eq']?.toLowerCase(),
    codes,
    updatedFrom: startOf(asked['updatedAt.gte']),
    updatedBefore: endOf(asked['updatedAt.lte']),
    sort: { by, direction },
    after: lastTimestamp === undefined ? undefined : { timestamp: microsecondsOf(lastTimestamp), id: lastId!.toLowerCase() },
    limit: asked.limit,
    offset: asked.offset,
    withMetadata: asked['metadata.eq'] === 'true',
  });
}

/**
 * A listing without the bounds that another one makes needless, so that its first row is where an index begins to be read, and its last
 * where that ends; undefined where nothing is left between them.
 */
export function tightened(listing: Listing): Listing | undefined {
  const { updatedFrom, updatedBefore, sort, after } = listing;
  if (updatedFrom !== undefined && updatedBefore !== undefined && updatedFrom >= updatedBefore) return undefined;
  if (!after || sort.by !== 'updated_at') return listing;
  const isTooEarly = updatedFrom !== undefined && after.timestamp < updatedFrom;
  const isTooLate = updatedBefore !== undefined && after.timestamp >= updatedBefore;
  if (sort.direction === 'asc') {
    if (isTooLate) return undefined;
    return isTooEarly ? { ...listing, after: undefined } : { ...listing, updatedFrom: undefined };
  }
  if (isTooEarly) return undefined;
  return isTooLate ? { ...listing, after: undefined } : { ...listing, updatedBefore: undefined };
}

function sortOf(sort: ApplicationSort): ['created_at' | 'updated_at', 'asc' | 'desc'] {
  const [by, direction] = sort.split('.') as ['createdAt' | 'updatedAt', 'asc' | 'desc'];
  return [by === 'createdAt' ? 'created_at' : 'updated_at', direction];
}

function startOf(date: string | undefined): Instant | undefined {
  return date === undefined ? undefined : `${date}T00:00:00.000000Z`;
}

/** The first moment after a day; undefined after the last day there is. */
function endOf(date: string | undefined): Instant | undefined {
  return date === undefined || date === '9999-12-31' ? undefined : plusDays(startOf(date)!, 1);
}
