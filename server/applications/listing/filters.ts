import { create, StructError } from 'superstruct';
import { ApplicationQuery, type ApplicationSort } from '../../../shared/wire/application-query.ts';
import { shown } from '../../../shared/wire/fields.ts';
import { ServiceError } from '../../errors.ts';
import { type Instant, microsecondsOf, plusDays } from '../../time.ts';
import { merchantAskedFor, type Scope } from './scope.ts';
import { codesAskedFor } from './shown-codes.ts';

/** Which applications are listed, in which order, and from where on. Whoever lists has nothing left to decide. */
export interface Listing {
  tenantId: string;
  merchantId?: string | undefined;
  programId?: string | undefined;
  buyerId?: string | undefined;
  addressHash?: string | undefined;
  /** Stored status codes; left out, all. */
  codes?: readonly string[] | undefined;
  /** From, and up to and without. */
  updatedFrom?: Instant | undefined;
  updatedBefore?: Instant | undefined;
  sort: { by: 'created_at' | 'updated_at'; direction: 'asc' | 'desc' };
  /** The last application of the page before. */
  after?: { timestamp: Instant; id: string } | undefined;
  limit: number;
  offset: number;
  withMetadata: boolean;
}

/** Those that a query names more than once; all others are given once. */
const REPEATED: ReadonlySet<string> = new Set(['statusCode.eq', 'statusCode.ne']);

/**
 * What a query asks for, as far as `scope` goes; undefined where nothing can match.
 *
 * @param query - Parameters by their names, a list for one that was given more than once.
 * @throws ServiceError `invalid-parameter` - names the first parameter that cannot be used; `merchant-conflict`
 */
export function listingOf(query: Readonly<Record<string, unknown>>, scope: Scope): Listing | undefined {
  const asked = checked(query);
  const [lastTimestamp, lastId] = [asked['lastTimestamp.eq'], asked['lastID.eq']];
  if ((lastTimestamp === undefined) !== (lastId === undefined)) {
    const [missing, given] = lastId === undefined ? ['lastID.eq', 'lastTimestamp.eq'] : ['lastTimestamp.eq', 'lastID.eq'];
    throw invalid(missing, `a value, because ${given} is given`, 'none');
  }
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
  return {
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
  };
}

function checked(query: Readonly<Record<string, unknown>>): ApplicationQuery {
  for (const [name, value] of Object.entries(query)) {
    if (!Object.hasOwn(ApplicationQuery.schema, name)) {
      const known = Object.keys(ApplicationQuery.schema).join(', ');
      throw invalid(name.slice(0, 60), `one of the parameters ${known}`, 'an unknown one');
    }
    if (Array.isArray(value) && !REPEATED.has(name)) throw invalid(name, 'one value', `${value.length} of them`);
  }
  try {
    return create(query, ApplicationQuery);
  } catch (thrown) {
    if (!(thrown instanceof StructError)) throw thrown;
    const { path, message, value } = thrown;
    // "At path: limit -- Expected …, but received: …": the parts of superstruct's own sentences, and of ours.
    const expected = /Expected (?:an? )?(.*?),? but received/.exec(message)?.[1] ?? 'another value';
    throw invalid(String(path[0]), expected, shown(value), thrown);
  }
}

function invalid(parameter: string, expected: string, received: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid-parameter', `${parameter}: expected ${expected}, but received ${received}.`, {
    cause,
    details: { parameter, expected, received },
  });
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
