import type { Watched } from '../db/kept.ts';
import { ServiceError } from '../errors.ts';
import type { TrustedIssuer } from '../config/issuer.ts';
import type { Clock } from '../time.ts';
import { fetchKeys } from './fetch-keys.ts';
import type { KeySource } from './key-source.ts';
import { ownKeys } from './own-keys.ts';
import { remoteKeys } from './remote-keys.ts';
import { ALGORITHM } from './signing-keys.ts';

/** Whose tokens are believed, and how far. */
export interface Issuer {
  /** Their claim `iss`, letter by letter. */
  name: string;
  audience: string;
  /** What they may be signed with: nothing whose secret is also what it is checked with. */
  algorithms: readonly string[];
  keys: KeySource;
  /** The tenants they may speak for, in lower case. */
  tenants: 'all' | ReadonlySet<string>;
}

/** What others sign with. RFC 7518, 3.1; RFC 8037; RFC 9864. */
const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/** What issuers are made out by. */
export interface IssuerParts {
  database: Watched;
  clock: Clock;
  /** Where this service is reached, which is what it calls itself. */
  publicUrl: string;
  /** Somebody else an operator trusts. */
  trusted: TrustedIssuer | undefined;
  /** Told when that one could not be asked for its keys, and why. */
  onTrouble(failure: string): void;
}

/** This service itself, and whom its operator trusts. */
export function believedIssuers({ database, clock, publicUrl, trusted, onTrouble }: IssuerParts): Issuer[] {
  const own: Issuer = {
    name: publicUrl,
    audience: publicUrl,
    algorithms: [ALGORITHM],
    keys: ownKeys(database, clock),
    tenants: 'all',
  };
  if (!trusted) return [own];
  const { issuer, jwksUrl, audience = publicUrl, tenants } = trusted;
  const keys = remoteKeys(
    () => fetchKeys(jwksUrl),
    clock,
    (thrown) => onTrouble((thrown as Error).message),
  );
  return [own, { name: issuer, audience, algorithms: ASYMMETRIC, keys, tenants: tenants === 'all' ? tenants : new Set(tenants) }];
}

/** @throws ServiceError `token-tenant-refused` */
export function requireTenant({ tenants }: Pick<Issuer, 'tenants'>, tenantId: string): void {
  if (tenants === 'all' || tenants.has(tenantId)) return;
  throw new ServiceError('token-tenant-refused', 'The issuer of the token may not speak for its tenant.', {
    details: { claim: 'TenantID' },
  });
}
