import { createLocalJWKSet, errors, type JWK, type JWTPayload, jwtVerify } from 'jose';
import { type Watched, whileUnchanged } from '../db/kept.ts';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../time.ts';
import { ALGORITHM } from './signing-keys.ts';
import { allSigningKeys } from './store.ts';

/** How far clocks may differ. */
const TOLERANCE_SECONDS = 30;

const ownKeys = whileUnchanged(async ({ query }: Watched) => createLocalJWKSet(await publishedKeys({ query })));

/** The public halves of the keys that are believed, as a JWKS. RFC 7517, 5. */
export async function publishedKeys({ query }: Pick<Watched, 'query'>): Promise<{ keys: JWK[] }> {
  const live = (await allSigningKeys(query)).filter(({ retired_at }) => retired_at === null);
  return { keys: live.map(({ public_jwk_json }) => JSON.parse(public_jwk_json) as JWK) };
}

/**
 * The claims of a token of ours that is good at this moment.
 *
 * @throws ServiceError `token-…` - what is wrong with it; `issuer-unavailable`
 */
export async function verifiedClaims(database: Watched, clock: Clock, issuer: string, token: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, await ownKeys(database), {
      algorithms: [ALGORITHM],
      issuer,
      audience: issuer,
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp'],
    });
    return payload;
  } catch (thrown) {
    throw refusalOf(thrown);
  }
}

function refusalOf(thrown: unknown): unknown {
  if (thrown instanceof errors.JWTExpired) return new ServiceError('token-expired', 'The token has expired.', { cause: thrown });
  if (thrown instanceof errors.JOSEError)
    return new ServiceError('token-malformed', 'The token cannot be used.', { cause: thrown });
  return thrown;
}
