import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../errors.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** What a token says of itself. None of it is believed before its signature was checked. */
export interface ReadToken {
  algorithm: string;
  kid: string | undefined;
  claims: Claims;
}

/** Twice what the largest tokens of directories have, and half of what a request's headers may. */
const MAX_LENGTH = 8_192;

/** What access tokens call themselves: RFC 9068, and what issuers wrote before it. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'at+jwt', 'application/at+jwt', 'jwt', 'application/jwt']);

/**
 * Reads a signed token in the compact form of RFC 7515.
 *
 * @throws ServiceError `token-malformed` - it is none, or one whose header says what we do not understand. No message repeats of it.
 */
export function readToken(token: string): ReadToken {
  if (token.length > MAX_LENGTH) throw malformed(`one of at most ${MAX_LENGTH} characters`);
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  if (more.length === 2) throw malformed('one that is signed, and not encrypted');
  const header = objectIn(head);
  const claims = objectIn(body);
  if (token.split('.').length !== 3 || !header || !claims || !/^[\w-]*$/.test(signature)) {
    throw malformed('three parts in base64url, parted by dots, the first two of them JSON objects');
  }
  const { alg, kid, typ, crit } = header;
  if (typeof alg !== 'string') throw malformed('a header with an algorithm, alg');
  if (kid !== undefined && typeof kid !== 'string') throw malformed('the name of a key, kid, to be a string');
  // What is critical must be understood, and there is nothing we do.
  if (crit !== undefined) throw malformed('a header without crit');
  if (!TYPES.has(typeof typ === 'string' ? typ.toLowerCase() : typ))
    throw malformed('a header with the type at+jwt, or JWT, or none');
  return { algorithm: alg, kid, claims };
}

function objectIn(part: string): Record<string, unknown> | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined;
  const bytes = Buffer.from(part, 'base64url');
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function malformed(expected: string): ServiceError {
  return new ServiceError('token-malformed', `Expected the bearer token to be a JSON Web Token: ${expected}.`, {
    details: { expected },
  });
}
