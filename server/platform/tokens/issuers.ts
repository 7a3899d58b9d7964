import { fromJson } from '../../db/json.ts';
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import type { TrustedIssuer } from '../../base/config/issuer.ts';
import type { Readable } from '../../db/database.ts';
import type { Clock } from '../../base/time.ts';
import { remoteKeys } from './remote-keys.ts';
import { ALGORITHM, activePublicKeys } from './signing-keys.ts';

/** An issuer whose tokens are accepted. */
export interface Issuer {
  /** The claim `iss` of its tokens, compared exactly. */
  name: string;
  audience: string;
  /** Allowed signature algorithms, all asymmetric. */
  algorithms: readonly string[];
  /**
   * Returns the lookup of its keys. Another function means that the keys changed, and that its tokens have to be verified again.
   *
   * @throws ServiceError `issuer-unavailable`, by the lookup
   */
  keys(): Promise<JWTVerifyGetKey>;
  /** Tenants that it may issue tokens for, as lower-case ids. */
  tenants: 'all' | ReadonlySet<string>;
  /** Maximum time between `iat` and `exp`. If set, `iat` is required. Undefined: no limit. */
  maxLifetimeSeconds?: number | undefined;
}

/** Maximum lifetime of a token of the external issuer. This service cannot revoke one, except by no longer trusting the issuer. */
const MAX_LIFETIME_SECONDS = 86_400;

/** Asymmetric signature algorithms. RFC 7518, 3.1; RFC 8037; RFC 9864. */
const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

interface IssuerOptions {
  database: Readable;
  clock: Clock;
  /** Public URL of the service: the issuer and the audience of its own tokens. */
  publicUrl: string;
  /** External issuer of the configuration. */
  trusted: TrustedIssuer | undefined;
  /** Called when the keys of that issuer could not be fetched. */
  onFailure(message: string): void;
}

/** Returns the issuers whose tokens are accepted: this service, and the external one of the configuration. */
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
  const keys = remoteKeys(jwksUrl, clock, onFailure);
  const external: Issuer = {
    name: issuer,
    audience,
    algorithms: ASYMMETRIC,
    keys: async () => keys,
    tenants: tenants === 'all' ? tenants : new Set(tenants),
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
  };
  return [own, external];
}

/** Returns the public keys of all signing keys that are not retired, as a JWKS. RFC 7517, 5. */
export async function publishedKeys({ query }: Readable): Promise<{ keys: JWK[] }> {
  const active = await activePublicKeys(query);
  return { keys: active.map(fromJson) };
}

/** The keys of this database. They are read for every token, so that a key retired by another process is rejected immediately. */
function ownKeys({ query }: Readable): Issuer['keys'] {
  let cached: { keys: JWTVerifyGetKey; json: string } | undefined;

  return async () => {
    const active = await activePublicKeys(query);
    const json = active.join();
    if (cached?.json !== json) cached = { keys: createLocalJWKSet({ keys: active.map(fromJson) }), json };
    return cached.keys;
  };
}
