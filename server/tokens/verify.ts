import { compactVerify, errors } from 'jose';
import { ServiceError } from '../errors.ts';
import { type Clock, epochMs } from '../time.ts';
import { issuerIn, requireAudience, requireTimely } from './claims.ts';
import { type Claims, type ReadToken, readToken } from './compact.ts';
import { type Issuer, requireTenant } from './issuers.ts';
import type { KeySet, KeySource } from './key-source.ts';
import { keptTokens } from './kept-tokens.ts';

/** As many as call at the same time, many times over. */
const MOST_KEPT = 1_000;

/**
 * What is kept of a token that was let in: as little as it takes to let it in again. Keys that its issuer has no longer are not held
 * here, nor what else the token said: an issuer could fill the memory with either.
 */
interface Admitted<Scope> {
  keys: KeySource;
  keySet: WeakRef<KeySet>;
  /** Its claims of time. */
  times: Claims;
  scope: Scope;
}

/**
 * Makes out whom a bearer token speaks for. A token is read and its signature checked once, which holds for as long as the keys it
 * was checked with are those of the issuer; whether its time has come, and is not over, is looked at each time.
 *
 * @param issuers - Who is believed. A token is held against the one that it names, and waits for no other.
 * @param scopeOf - What its claims let be seen. @throws ServiceError
 * @returns Admits the bearer of a token. @throws ServiceError `token-…` - what is wrong with it; `issuer-unavailable`
 */
export function admission<Scope extends { tenantId: string }>(
  issuers: readonly Issuer[],
  clock: Clock,
  scopeOf: (claims: Claims) => Scope,
): (token: string) => Promise<Scope> {
  const kept = keptTokens<Admitted<Scope>>(MOST_KEPT);
  const nowSeconds = () => Math.floor(epochMs(clock.now()) / 1_000);

  return async (token) => {
    const known = kept.get(token);
    if (known && (await known.keys.current()) === known.keySet.deref()) {
      requireTimely(known.times, nowSeconds());
      return known.scope;
    }
    const { issuer, claims, keySet } = await verified(token, issuers);
    requireAudience(claims, issuer.audience);
    requireTimely(claims, nowSeconds());
    const scope = scopeOf(claims);
    requireTenant(issuer, scope.tenantId);
    const times = { exp: claims['exp'], nbf: claims['nbf'] };
    kept.keep(token, { keys: issuer.keys, keySet: new WeakRef(keySet), times, scope });
    return scope;
  };
}

/** A token whose signature is right, and by which keys it is. */
interface Authentic {
  issuer: Issuer;
  claims: Claims;
  keySet: KeySet;
}

async function verified(token: string, issuers: readonly Issuer[]): Promise<Authentic> {
  const read = readToken(token);
  const { algorithm, claims } = read;
  const named = issuerIn(claims);
  const issuer = issuers.find(({ name }) => name === named);
  if (!issuer) throw new ServiceError('token-issuer-unknown', 'Expected a token of an issuer that is trusted here.');
  if (!issuer.algorithms.includes(algorithm)) {
    const expected = issuer.algorithms.join(', ');
    throw new ServiceError('token-algorithm-refused', `Expected a token signed with ${expected}.`, { details: { expected } });
  }
  const { keySet, key } = await keyFor(read, issuer);
  try {
    await compactVerify(token, key, { algorithms: [...issuer.algorithms] });
  } catch (thrown) {
    if (thrown instanceof errors.JWSSignatureVerificationFailed) {
      throw new ServiceError('token-signature-wrong', 'The signature of the token is wrong.', { cause: thrown });
    }
    throw keyUnknown(thrown);
  }
  return { issuer, claims, keySet };
}

/** The key that a token names, also one that the issuer has only just begun to sign with. */
async function keyFor(read: ReadToken, { keys }: Issuer): Promise<{ keySet: KeySet; key: CryptoKey }> {
  const header = { alg: read.algorithm, ...(read.kid !== undefined && { kid: read.kid }) };
  const keySet = await keys.current();
  try {
    return { keySet, key: await keySet(header) };
  } catch (thrown) {
    if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw keyUnknown(thrown);
    const newer = await keys.newest();
    if (newer === keySet) throw keyUnknown(thrown);
    return { keySet: newer, key: await newer(header).catch((cause: unknown) => Promise.reject(keyUnknown(cause))) };
  }
}

/** There is none, more than one, or one that cannot be used: too short, or private. */
function keyUnknown(cause: unknown): ServiceError {
  return new ServiceError('token-key-unknown', 'Expected the token to name a key, kid, that its issuer publishes.', { cause });
}
