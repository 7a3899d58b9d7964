import { EXPIRING_CODES } from '../../lending/applications/expiry.ts';
import { ApplicationStatus, ApplicationQuery, ApplicationSort, OneApplicationQuery } from '../../../shared/wire/application.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Scope } from '../../http/context.ts';
import { DATE_OR_TIMESTAMP, instantIn, choicesOf, parseQuery, type QueryRules, type ReceivedQuery } from '../../http/query.ts';
import { type Instant, microsecondsOf, nextInstant, plusDays } from '../../base/time.ts';
import { merchantFor } from './scope.ts';
import { storedCodesFor } from './status-codes.ts';

/** Filters, order and page of a list of applications, fully resolved from the query and the scope. */
export interface Listing {
  tenantId: string;
  merchantId?: string | undefined;
  programId?: string | undefined;
  buyerId?: string | undefined;
  addressHash?: string | undefined;
  /** Stored status codes; undefined for all. */
  codes?: readonly string[] | undefined;
  /** Excludes open applications that expired at this instant or earlier, which the job has not yet processed. */
  openAfter?: Instant | undefined;
  /** Like `openAfter`, except those that wait for a decision: the job denies them. */
  unexpiredAt?: Instant | undefined;
  /** Includes open applications that expired at `at` or earlier, with one of these stored codes instead of `codes`. */
  expired?: { at: Instant; codes: readonly string[] } | undefined;
  /** Inclusive lower and exclusive upper bound. */
  updatedFrom?: Instant | undefined;
  updatedBefore?: Instant | undefined;
  /** Exclusive upper bound. */
  createdBefore?: Instant | undefined;
  sort: { by: 'createdAt' | 'updatedAt'; direction: 'asc' | 'desc' };
  /** The last application of the previous page. */
  after?: { timestamp: Instant; id: string } | undefined;
  limit: number;
  offset: number;
  withMetadata: boolean;
}

/**
 * Converts a query to a listing restricted to `scope`; undefined if nothing can match.
 *
 * @param query - Parameters by name. Repeated parameters are arrays.
 * @param now - Applications that have expired until now can be excluded.
 * @throws ServiceError `invalid-parameter` - names the first invalid parameter; `merchant-conflict`
 */
export function listingOf(query: ReceivedQuery, scope: Scope, now: Instant): Listing | undefined {
  const parameters = parseParameters(query);
  const lastTimestamp = parameters['lastTimestamp.eq'];
  const lastId = parameters['lastID.eq'];
  const buyerId = parameters['buyerID.eq']?.toLowerCase();
  const showExpired = parameters['showExpired.eq'] !== 'false';
  const codes = storedCodesFor({
    status: parameters['status.eq'],
    codes: parameters['statusCode.eq'],
    notCodes: parameters['statusCode.ne'],
    showExpired,
  });
  const merchantId = merchantFor(scope, parameters['merchantID.eq']?.toLowerCase());
  const isOtherBuyer = scope.buyerId !== undefined && buyerId !== undefined && scope.buyerId !== buyerId;
  if (codes?.length === 0 || isOtherBuyer) return undefined;
  return withoutRedundantBounds({
    tenantId: scope.tenantId,
    merchantId,
    programId: scope.programId,
    buyerId: scope.buyerId ?? buyerId,
    addressHash: parameters['normalizedAddressHash.eq']?.toLowerCase(),
    codes,
    ...(showExpired ? expiryOf(codes, now) : { openAfter: now }),
    updatedFrom: startOf(parameters['updatedAt.gte']),
    updatedBefore: endOf(parameters['updatedAt.lte']),
    sort: SORTS[parameters.sort],
    after: lastTimestamp === undefined ? undefined : { timestamp: microsecondsOf(lastTimestamp), id: lastId!.toLowerCase() },
    limit: parameters.limit,
    offset: parameters.offset,
    withMetadata: parameters['metadata.eq'] === 'true',
  });
}

/** Returns how a filter of status codes applies to applications that have expired, and whose status the job has not yet saved. */
function expiryOf(codes: readonly string[] | undefined, now: Instant): Pick<Listing, 'unexpiredAt' | 'expired'> {
  if (!codes) return {};
  const expired = EXPIRING_CODES.filter(({ expiredCode }) => codes.includes(expiredCode)).map(({ code }) => code);
  return {
    ...(EXPIRING_CODES.some(({ code }) => codes.includes(code)) && { unexpiredAt: now }),
    ...(expired.length > 0 && { expired: { at: now, codes: expired } }),
  };
}

/**
 * Removes bounds that follow from another bound, so that an index is read only between the first and the last row. Returns undefined if
 * no row can match.
 */
export function withoutRedundantBounds(listing: Listing): Listing | undefined {
  const { updatedFrom, updatedBefore, sort, after } = listing;
  if (updatedFrom !== undefined && updatedBefore !== undefined && updatedFrom >= updatedBefore) return undefined;
  if (!after || sort.by !== 'updatedAt') return listing;
  const isTooEarly = updatedFrom !== undefined && after.timestamp < updatedFrom;
  const isTooLate = updatedBefore !== undefined && after.timestamp >= updatedBefore;
  if (sort.direction === 'asc') {
    if (isTooLate) return undefined;
    return isTooEarly ? { ...listing, after: undefined } : { ...listing, updatedFrom: undefined };
  }
  if (isTooEarly) return undefined;
  return isTooLate ? { ...listing, after: undefined } : { ...listing, updatedBefore: undefined };
}

/**
 * Ends a listing in ascending order before an instant, so that a client that follows it misses nothing (decisions/0045). Returns
 * undefined if no row can match.
 */
export function endingBefore(listing: Listing, horizon: Instant): Listing | undefined {
  if (listing.sort.by === 'createdAt') return { ...listing, createdBefore: horizon };
  const { updatedBefore = horizon } = listing;
  return withoutRedundantBounds({ ...listing, updatedBefore: updatedBefore < horizon ? updatedBefore : horizon });
}

const SORTS: Readonly<Record<ApplicationSort, Listing['sort']>> = {
  'createdAt.asc': { by: 'createdAt', direction: 'asc' },
  'createdAt.desc': { by: 'createdAt', direction: 'desc' },
  'updatedAt.asc': { by: 'updatedAt', direction: 'asc' },
  'updatedAt.desc': { by: 'updatedAt', direction: 'desc' },
};

/** Returns the first instant of a day or of a timestamp. */
function startOf(when: string | undefined): Instant | undefined {
  return when === undefined ? undefined : instantIn(when);
}

/** Returns the first instant after a day, or after a timestamp; undefined after 9999-12-31. */
function endOf(when: string | undefined): Instant | undefined {
  if (when === undefined || when === '9999-12-31') return undefined;
  return when.includes('T') ? nextInstant(instantIn(when)) : plusDays(instantIn(when), 1);
}

const CODES = 'at most 100 codes of six digits';

/** Expected value of each parameter, as error messages describe it. */
const expectedValues: Readonly<Record<keyof ApplicationQuery, string>> = {
  'buyerID.eq': 'a UUID',
  'merchantID.eq': 'a UUID',
  'status.eq': choicesOf(ApplicationStatus),
  'statusCode.eq': CODES,
  'statusCode.ne': CODES,
  'showExpired.eq': 'true or false',
  'normalizedAddressHash.eq': 'a SHA-256 in 64 hexadecimal digits',
  'metadata.eq': 'true or false',
  'updatedAt.gte': DATE_OR_TIMESTAMP,
  'updatedAt.lte': DATE_OR_TIMESTAMP,
  'lastTimestamp.eq': 'a timestamp such as 2026-03-31T12:00:00Z',
  'lastID.eq': 'a UUID',
  sort: choicesOf(ApplicationSort),
  limit: 'a whole number from 1 to 200',
  offset: 'a whole number from 0 to 999999999999999',
};

const LIST_RULES: QueryRules<ApplicationQuery> = {
  struct: ApplicationQuery,
  expected: expectedValues,
  repeated: new Set(['statusCode.eq', 'statusCode.ne']),
  invalid,
};

/**
 * Validates the parameters of a query (decisions/0028).
 * @throws ServiceError `invalid-parameter` - names the first invalid parameter, the expected value and the received one.
 */
function parseParameters(query: ReceivedQuery): ApplicationQuery {
  const parameters = parseQuery(query, LIST_RULES);
  requireBoth(parameters, 'lastTimestamp.eq', 'lastID.eq');
  requireBoth(parameters, 'lastID.eq', 'lastTimestamp.eq');
  return parameters;
}

/** Returns whether the query of one application asks for its metadata. @throws ServiceError `invalid-parameter` */
export function wantsMetadata(query: ReceivedQuery): boolean {
  const { 'metadata.eq': expected } = expectedValues;
  const parameters = parseQuery(query, { struct: OneApplicationQuery, expected: { 'metadata.eq': expected }, invalid });
  return parameters['metadata.eq'] === 'true';
}

/** The two parameters of a list position are only valid together. */
function requireBoth(parameters: ApplicationQuery, given: keyof ApplicationQuery, other: keyof ApplicationQuery): void {
  if (parameters[given] === undefined || parameters[other] !== undefined) return;
  throw invalid(other, `${expectedValues[other]} with ${given}`, 'none');
}

function invalid(parameter: string, expected: string, received: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid-parameter', `${parameter}: expected ${expected}, but received ${received}.`, {
    cause,
    details: { parameter, expected, received },
  });
}
