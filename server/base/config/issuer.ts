import { parseUrl } from '../../../shared/url.ts';
import { isId } from '../ids.ts';
import type { Mode } from '../mode.ts';
import { type Env, isConfidential, confidentialUrlDescription } from './env.ts';

/** An external issuer whose tokens the platform API accepts. */
export interface TrustedIssuer {
  /** Exact value of the claim `iss`. */
  issuer: string;
  /** URL of its key set. */
  jwksUrl: string;
  /** Required value of the claim `aud`. Default: the public URL of the service. */
  audience?: string | undefined;
  /** Lower-case ids of the tenants that it may issue tokens for. */
  tenants: 'all' | readonly string[];
}

/**
 * Reads the trusted token issuer; undefined if none is configured.
 *
 * @param publicUrl - The issuer in this service's own tokens, if configured.
 * @throws Error - a variable is invalid; the message contains its name but no URL, because a URL may contain a secret.
 */
export function issuerIn(env: Env, mode: Mode, publicUrl: string | undefined): TrustedIssuer | undefined {
  const set = ['TOKEN_ISSUER', 'TOKEN_JWKS_URL', 'TOKEN_AUDIENCE', 'TOKEN_TENANTS'].filter((name) => env[name]);
  if (set.length === 0) return undefined;
  const because = `because ${set[0]} is set`;
  const issuer = env['TOKEN_ISSUER'] ?? '';
  if (!isName(issuer))
    throw new Error(`TOKEN_ISSUER: expected the claim iss of its tokens, such as https://id.example, ${because}`);
  if (issuer === publicUrl)
    throw new Error('TOKEN_ISSUER: expected an issuer other than this service, whose own tokens are always accepted');
  const jwksUrl = env['TOKEN_JWKS_URL'] ?? '';
  if (!isKeyAddress(jwksUrl, mode)) {
    throw new Error(`TOKEN_JWKS_URL: expected ${confidentialUrlDescription(mode)} without user and fragment, ${because}`);
  }
  const audience = env['TOKEN_AUDIENCE'] || undefined;
  if (audience !== undefined && !isName(audience))
    throw new Error('TOKEN_AUDIENCE: expected the claim aud of its tokens, without spaces');
  return { issuer, jwksUrl, audience, tenants: tenantsIn(env['TOKEN_TENANTS'] ?? '', because) };
}

function tenantsIn(value: string, because: string): TrustedIssuer['tenants'] {
  if (value.trim() === '*') return 'all';
  const ids = value.split(',').flatMap((id) => id.trim().toLowerCase() || []);
  if (ids.length > 0 && ids.every(isId)) return ids;
  throw new Error(`TOKEN_TENANTS: expected comma-separated ids of the tenants it may issue tokens for, or *, ${because}`);
}

function isName(value: string): boolean {
  return /^\S{1,500}$/.test(value);
}

function isKeyAddress(address: string, mode: Mode): boolean {
  const url = parseUrl(address);
  if (!url || url.username !== '' || url.password !== '' || address.includes('#')) return false;
  return isConfidential(url, mode);
}
