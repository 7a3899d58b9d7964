import { ServiceError } from '../errors.ts';
import type { Claims } from './compact.ts';

/** How far clocks may differ. */
export const TOLERANCE_SECONDS = 30;

/** The issuer a token names. @throws ServiceError `token-claim-invalid` */
export function issuerIn(claims: Claims): string {
  const issuer = own(claims, 'iss');
  if (typeof issuer !== 'string') throw invalid('iss', 'a string', issuer);
  return issuer;
}

/** @throws ServiceError `token-claim-invalid`, `token-audience-wrong` - nobody, or others, are to take the token. */
export function requireAudience(claims: Claims, audience: string): void {
  const named = own(claims, 'aud');
  if (named === undefined) throw invalid('aud', 'a string or a list of strings', named);
  if (Array.isArray(named) ? named.includes(audience) : named === audience) return;
  throw new ServiceError('token-audience-wrong', `Expected a token for the audience ${audience}.`, {
    details: { claim: 'aud', expected: audience },
  });
}

/**
 * Looks whether a token's time has come and is not over. One that says no end has none.
 *
 * @throws ServiceError `token-claim-invalid`, `token-not-yet-valid`, `token-expired`
 */
export function requireTimely(claims: Claims, nowSeconds: number): void {
  const expiresAt = secondsIn(claims, 'exp');
  const notBefore = secondsIn(claims, 'nbf');
  secondsIn(claims, 'iat');
  if (expiresAt === undefined) throw invalid('exp', NUMBER, undefined);
  if (expiresAt <= nowSeconds - TOLERANCE_SECONDS) {
    throw new ServiceError('token-expired', 'The token has expired.', { details: { claim: 'exp' } });
  }
  if (notBefore !== undefined && notBefore > nowSeconds + TOLERANCE_SECONDS) {
    throw new ServiceError('token-not-yet-valid', 'The time of the token has not begun.', { details: { claim: 'nbf' } });
  }
}

const NUMBER = 'a number of seconds since 1970';

function secondsIn(claims: Claims, name: string): number | undefined {
  const value = own(claims, name);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw invalid(name, NUMBER, value);
}

function own(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** What came is told by its kind alone. */
function invalid(claim: string, expected: string, value: unknown): ServiceError {
  const received = kindOf(value);
  const message = `Expected the token's claim ${claim} to be ${expected}, but received ${received}.`;
  return new ServiceError('token-claim-invalid', message, { details: { claim, expected, received } });
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
