import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';
import { groupIn } from './read-settings.ts';

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
  const values = groupIn(env, mode, ['TOKEN_ISSUER', 'TOKEN_JWKS_URL', 'TOKEN_TENANTS'], ['TOKEN_AUDIENCE']);
  if (!values) return undefined;
  const { TOKEN_ISSUER: issuer, TOKEN_JWKS_URL: jwksUrl, TOKEN_TENANTS: tenants, TOKEN_AUDIENCE: audience } = values;
  if (issuer === publicUrl)
    throw new Error('TOKEN_ISSUER: expected an issuer other than this service, whose own tokens are always accepted');
  const ids = tenants.split(',').flatMap((id) => id.trim().toLowerCase() || []);
  return { issuer, jwksUrl, audience, tenants: tenants === '*' ? 'all' : ids };
}
