import { parsedUrl } from '../../shared/url.ts';
import { isId } from '../ids.ts';
import type { Mode } from '../mode.ts';
import { type Env, isConfidential, confidentialAddress } from './env.ts';

/** Another issuer whose tokens the platform API accepts. */
export interface TrustedIssuer {
  /** Exact value of the claim `iss`. */
  issuer: string;
  /** Where its public keys are. */
  jwksUrl: string;
  /** What their claim `aud` must hold; left out, where this service is reached. */
  audience?: string | undefined;
  /** The tenants that it may speak for, in lower case. */
  tenants: 'all' | readonly string[];
}

/**
 * Reads the trusted token issuer; undefined if none is configured.
 *
 * @param publicUrl - The issuer in this service's own tokens, if configured.
 * @throws Error - a variable is invalid; the message names it, and contains no address, because an address may contain a secret.
 */
export function issuerIn(env: Env, mode: Mode, publicUrl: string | undefined): TrustedIssuer | undefined {
  const set = ['TOKEN_ISSUER', 'TOKEN_JWKS_URL', 'TOKEN_AUDIENCE', 'TOKEN_TENANTS'].filter((name) => env[name]);
  if (set.length === 0) return undefined;
  const because = `because ${set[0]} is set`;
  const issuer = env['TOKEN_ISSUER'] ?? '';
  if (!isName(issuer))
    throw new Error(`TOKEN_ISSUER: expected the claim iss of its tokens, such as https://id.example, ${because}`);
  if (issuer === publicUrl)
    throw new Error('TOKEN_ISSUER: expected another issuer than this service, which believes itself anyway');
  const jwksUrl = env['TOKEN_JWKS_URL'] ?? '';
  if (!isKeyAddress(jwksUrl, mode)) {
    throw new Error(`TOKEN_JWKS_URL: expected ${confidentialAddress(mode)} without user and fragment, ${because}`);
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
  throw new Error(`TOKEN_TENANTS: expected the ids of the tenants it may speak for, separated by commas, or *, ${because}`);
}

function isName(value: string): boolean {
  return /^\S{1,500}$/.test(value);
}

function isKeyAddress(address: string, mode: Mode): boolean {
  const url = parsedUrl(address);
  if (!url || url.username !== '' || url.password !== '' || address.includes('#')) return false;
  return isConfidential(url, mode);
}
