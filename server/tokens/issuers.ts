import { createLocalJWKSet, type JWK } from 'jose';
import type { TrustedIssuer } from '../config/issuer.ts';
import type { Readable } from '../db/database.ts';
import type { Clock } from '../time.ts';
import { fetchKeys, type KeySet, type KeySource, remoteKeys } from './remote-keys.ts';
import { ALGORITHM } from './signing-keys.ts';
import { livePublicKeys } from './store.ts';

/** An issuer whose tokens are accepted. */
export interface Issuer {
  /** The claim `iss` of its tokens, compared exactly. */
  name: string;
  audience: string;
  /** Allowed signature algorithms, all asymmetric. */
  algorithms: readonly string[];
  keys: KeySource;
  /** Lower-case ids of the tenants it may issue tokens for. */
  tenants: 'all' | ReadonlySet<string>;
}

/** RFC 7518, 3.1; RFC 8037; RFC 9864. */
const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

interface IssuerOptions {
  database: Readable;
  clock: Clock;
  /** Where this service is reached. It is the issuer and the audience of its own tokens. */
  publicUrl: string;
  /** An outside issuer from the configuration. */
  trusted: TrustedIssuer | undefined;
  /** Called when the keys of that issuer could not be fetched. */
  onFailure(message: string): void;
}

/** This service and the issuer that its operator trusts. */
export function trustedIssuers({ database, clock, publicUrl, trusted, onFailure }: IssuerOptions): Issuer[] {
  const own: Issuer = {
    name: publicUrl,
    audience: publicUrl,
    algorithms: [ALGORITHM],
    keys: ownKeys(database),
    tenants: 'all',
  };
  if (!trusted) return [own];
  const { issuer, jwksUrl, audience = publicUrl, tenants } = trusted;
  const keys = remoteKeys(
    () => fetchKeys(jwksUrl),
    clock,
    (thrown) => onFailure((thrown as Error).message),
  );
  return [own, { name: issuer, audience, algorithms: ASYMMETRIC, keys, tenants: tenants === 'all' ? tenants : new Set(tenants) }];
}

/** Returns the public keys of all signing keys that are not retired, as a JWKS. RFC 7517, 5. */
export async function publishedKeys({ query }: Readable): Promise<{ keys: JWK[] }> {
  const live = await livePublicKeys(query);
  return { keys: live.map(({ public_jwk_json }) => JSON.parse(public_jwk_json) as JWK) };
}

/** The keys of this database. They are read for every token, so that a key that any process retires is rejected from then on. */
function ownKeys({ query }: Readable): KeySource {
  let cached: { keySet: KeySet; json: string } | undefined;

  async function current(): Promise<KeySet> {
    const live = await livePublicKeys(query);
    const json = `[${live.map(({ public_jwk_json }) => public_jwk_json).join()}]`;
    if (cached?.json !== json) cached = { keySet: createLocalJWKSet({ keys: JSON.parse(json) as JWK[] }), json };
    return cached.keySet;
  }

  return { current, newest: current };
}
