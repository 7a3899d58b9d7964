import { hash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../base/errors.ts';
import { type Clock, epochMs } from '../../base/time.ts';
import type { Issuer } from './issuers.ts';

/** Maximum difference between the clocks of the issuer and this service. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Characters. Twice the length of large tokens, and half of the limit of all headers of a request. */
const MAX_LENGTH = 8_192;

/** Types of access tokens: those of RFC 9068, and those that issuers used before it. */
const TOKEN_TYPES: ReadonlySet<unknown> = new Set([undefined, 'at+jwt', 'application/at+jwt', 'jwt', 'application/jwt']);

/** Cached tokens of one issuer: more than there are clients at the same time. */
const MAX_CACHED_TOKENS = 1_000;

/** Maximum time until a token is verified again: an outside issuer may have withdrawn its key. */
const MAX_CACHED_MS = 600_000;

/** A token whose signature and claims were verified with these keys. */
interface VerifiedToken<Scope> {
  keys: JWTVerifyGetKey;
  scope: Scope;
  expiresAtMs: number;
}

/** Returns the scope of a bearer token. @throws ServiceError `token-…` or `issuer-unavailable` */
export type VerifyToken<Scope> = (token: string) => Promise<Scope>;

/**
 * Creates the verification of bearer tokens.
 *
 * A verified token is cached for ten minutes, or until it expires or the keys of its issuer change (decisions/0035).
 *
 * @param scopeOf - Returns what the claims of a token allow. @throws ServiceError
 */
export function tokenVerification<Scope extends { tenantId: string }>(
  issuers: readonly Issuer[],
  clock: Clock,
  scopeOf: (claims: JWTPayload) => Scope,
): VerifyToken<Scope> {
  /** The verified tokens of each issuer, by their hashes. */
  const caches = new Map(
    issuers.map((issuer) => [issuer, new LRUCache<string, VerifiedToken<Scope>>({ max: MAX_CACHED_TOKENS })]),
  );

  return async (token) => {
    const issuer = issuerOf(token, issuers);
    const nowMs = epochMs(clock.now());
    const cache = caches.get(issuer)!;
    const keys = await issuer.keys();
    const tokenHash = hash('sha256', token, 'base64url');
    const cached = cache.get(tokenHash);
    if (cached?.keys === keys && nowMs < cached.expiresAtMs) return cached.scope;

    const claims = await verifyJwt(token, issuer, keys, nowMs);
    const scope = scopeOf(claims);
    requireTenant(issuer, scope.tenantId);
    const expiresAtMs = Math.min((claims.exp! + CLOCK_TOLERANCE_SECONDS) * 1_000, nowMs + MAX_CACHED_MS);
    cache.set(tokenHash, { keys, scope, expiresAtMs });
    return scope;
  };
}

/**
 * Returns the issuer that a token names, before its signature is verified: keys are requested only from a trusted issuer.
 *
 * @throws ServiceError `token-malformed`, `token-claim-invalid`, `token-issuer-unknown`, `token-algorithm-refused`
 */
function issuerOf(token: string, issuers: readonly Issuer[]): Issuer {
  const { header, claims } = decode(token);
  const { alg, kid, typ, crit } = header;
  if (typeof alg !== 'string') throw malformed('a header with an algorithm, alg');
  if (kid !== undefined && typeof kid !== 'string') throw malformed('the name of a key, kid, to be a string');
  if (crit !== undefined) throw malformed('a header without crit');
  if (!TOKEN_TYPES.has(typeof typ === 'string' ? typ.toLowerCase() : typ)) {
    throw malformed('a header with the type at+jwt, or JWT, or none');
  }

  if (typeof claims.iss !== 'string') throw claimInvalid('iss', claims);
  const issuer = issuers.find(({ name }) => name === claims.iss);
  if (!issuer) throw new ServiceError('token-issuer-unknown', 'Expected a token of an issuer that is trusted here.');
  if (!issuer.algorithms.includes(alg)) {
    const expected = issuer.algorithms.join(', ');
    throw new ServiceError('token-algorithm-refused', `Expected a token signed with ${expected}.`, { details: { expected } });
  }
  return issuer;
}

function decode(token: string) {
  if (token.length > MAX_LENGTH) throw malformed(`one of at most ${MAX_LENGTH} characters`);
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch (cause) {
    throw malformed('three parts in base64url, separated by dots, the first two of them JSON objects', cause);
  }
}

async function verifyJwt(
  token: string,
  { algorithms, audience, maxLifetimeSeconds }: Issuer,
  keys: JWTVerifyGetKey,
  nowMs: number,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [...algorithms],
      audience,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(nowMs),
      requiredClaims: maxLifetimeSeconds === undefined ? ['exp'] : ['exp', 'iat'],
    });
    // JSON can express numbers that JavaScript reads as infinite.
    if (!Number.isFinite(payload.exp)) throw claimInvalid('exp', payload);
    if (maxLifetimeSeconds !== undefined) requireLifetime(payload, maxLifetimeSeconds, nowMs);
    return payload;
  } catch (thrown) {
    throw verificationError(thrown, audience);
  }
}

/**
 * Rejects tokens that were issued in the future, which would be valid for longer than their issuer may allow, and tokens that are valid
 * for too long.
 *
 * @throws ServiceError `token-not-yet-valid`, `token-claim-invalid`
 */
function requireLifetime({ iat, exp }: JWTPayload, maxSeconds: number, nowMs: number): void {
  if (iat! > Math.floor(nowMs / 1_000) + CLOCK_TOLERANCE_SECONDS) {
    throw new ServiceError('token-not-yet-valid', 'The token was issued in the future.', { details: { claim: 'iat' } });
  }
  if (exp! - iat! <= maxSeconds) return;
  throw invalidClaim('exp', `at most ${maxSeconds} seconds after iat`, 'a later time');
}

function verificationError(thrown: unknown, audience: string): unknown {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof errors.JWSSignatureVerificationFailed) {
    return new ServiceError('token-signature-wrong', 'The signature of the token is wrong.', { cause: thrown });
  }
  if (thrown instanceof errors.JWTExpired) {
    return new ServiceError('token-expired', 'The token has expired.', { details: { claim: 'exp' } });
  }
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason, payload } = thrown;
    if (claim === 'aud' && reason === 'check_failed') {
      return new ServiceError('token-audience-wrong', `Expected a token for the audience ${audience}.`, {
        details: { claim, expected: audience },
      });
    }
    if (claim === 'nbf' && reason === 'check_failed') {
      return new ServiceError('token-not-yet-valid', 'The token is not valid yet.', { details: { claim } });
    }
    return claimInvalid(claim, payload);
  }
  if (thrown instanceof errors.JWSInvalid || thrown instanceof errors.JWTInvalid) return malformed('a valid JWS', thrown);
  return keyUnknown(thrown);
}

/** @throws ServiceError `token-tenant-refused` */
function requireTenant({ tenants }: Issuer, tenantId: string): void {
  if (tenants === 'all' || tenants.has(tenantId)) return;
  throw new ServiceError('token-tenant-refused', 'The issuer of the token may not issue tokens for its tenant.', {
    details: { claim: 'TenantID' },
  });
}

/** No key matches, several match, or the key cannot be used because it is private or too short. */
function keyUnknown(cause: unknown): ServiceError {
  return new ServiceError('token-key-unknown', 'Expected the token to name a key, kid, that its issuer publishes.', { cause });
}

function malformed(expected: string, cause?: unknown): ServiceError {
  return new ServiceError('token-malformed', `Expected the bearer token to be a JSON Web Token: ${expected}.`, {
    cause,
    details: { expected },
  });
}

const expectedClaims: Readonly<Record<string, string>> = { iss: 'a string', aud: 'a string or a list of strings' };

/** Reports the type of the received claim, and never its value. */
function claimInvalid(claim: string, claims: JWTPayload): ServiceError {
  const expected = expectedClaims[claim] ?? 'a number of seconds since 1970';
  return invalidClaim(claim, expected, typeNameOf(Object.hasOwn(claims, claim) ? claims[claim] : undefined));
}

/** Returns the error of a claim that is missing or invalid. */
export function invalidClaim(claim: string, expected: string, received: string): ServiceError {
  const message = `Expected the token's claim ${claim} to be ${expected}, but received ${received}.`;
  return new ServiceError('token-claim-invalid', message, { details: { claim, expected, received } });
}

function typeNameOf(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
