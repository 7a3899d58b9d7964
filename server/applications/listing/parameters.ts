import { create, StructError } from 'superstruct';
import { ApplicationStatus } from '../../../shared/wire/application.ts';
import { ApplicationQuery, ApplicationSort } from '../../../shared/wire/application-query.ts';
import { describeValue } from '../../../shared/wire/fields.ts';
import { ServiceError } from '../../errors.ts';

const among = (values: Readonly<Record<string, string>>) => `one of ${Object.values(values).join(', ')}`;

const CODES = 'codes of six digits, at most 100 of them';

/** Expected value of each parameter, as error messages describe it. */
const takes: Readonly<Record<keyof ApplicationQuery, string>> = {
  'buyerID.eq': 'a UUID',
  'merchantID.eq': 'a UUID',
  'status.eq': among(ApplicationStatus.schema),
  'statusCode.eq': CODES,
  'statusCode.ne': CODES,
  'showExpired.eq': 'true or false',
  'normalizedAddressHash.eq': 'a SHA-256 in 64 hexadecimal digits',
  'metadata.eq': 'true or false',
  'updatedAt.gte': 'a date such as 2026-03-31',
  'updatedAt.lte': 'a date such as 2026-03-31',
  'lastTimestamp.eq': 'a moment such as 2026-03-31T12:00:00Z, from 1970 through 8999',
  'lastID.eq': 'a UUID',
  sort: among(ApplicationSort.schema),
  limit: 'a whole number from 1 to 200',
  offset: 'a whole number from 0 to 999999999999999',
};

/** Parameters that a query may repeat. */
const REPEATED: ReadonlySet<string> = new Set(['statusCode.eq', 'statusCode.ne']);

/**
 * Validates the parameters of a query (decisions/0028).
 *
 * @param query - Parameters by their names, a list for one that was given more than once.
 * @throws ServiceError `invalid-parameter` - names the first invalid parameter, the expected value and the received one.
 */
export function parametersOf(query: Readonly<Record<string, unknown>>): ApplicationQuery {
  for (const [name, value] of Object.entries(query)) {
    if (!Object.hasOwn(takes, name)) throw invalid(printed(name), `one of ${Object.keys(takes).join(', ')}`, 'an unknown name');
    if (Array.isArray(value) && !REPEATED.has(name)) throw invalid(name, 'one value', `${value.length} of them`);
  }
  const parameters = created(query);
  requireBoth(parameters, 'lastTimestamp.eq', 'lastID.eq');
  requireBoth(parameters, 'lastID.eq', 'lastTimestamp.eq');
  return parameters;
}

function created(query: Readonly<Record<string, unknown>>): ApplicationQuery {
  try {
    return create(query, ApplicationQuery);
  } catch (thrown) {
    if (!(thrown instanceof StructError)) throw thrown;
    const [name, index] = thrown.path as [keyof ApplicationQuery, number?];
    // The value as received, not as coerced.
    const came = [query[name]].flat();
    const received = index === undefined && came.length > 1 ? `${came.length} of them` : describeValue(came[index ?? 0]);
    throw invalid(name, takes[name], received, thrown);
  }
}

/** The two parameters of a list position are only valid together. */
function requireBoth(parameters: ApplicationQuery, given: keyof ApplicationQuery, other: keyof ApplicationQuery): void {
  if (parameters[given] === undefined || parameters[other] !== undefined) return;
  throw invalid(other, `${takes[other]} beside ${given}`, 'none');
}

function invalid(parameter: string, expected: string, received: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid-parameter', `${parameter}: expected ${expected}, but received ${received}.`, {
    cause,
    details: { parameter, expected, received },
  });
}

/** Returns an unknown parameter name, shortened and reduced to printable ASCII so that it is safe in terminals and logs. */
function printed(name: string): string {
  const safe = name.replaceAll(/[^\x21-\x7e]/g, '?');
  if (safe === '') return '(no name)';
  return safe.length > 60 ? `${safe.slice(0, 57)}...` : safe;
}
