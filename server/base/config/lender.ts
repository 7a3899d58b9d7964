import { messageOf } from '../errors.ts';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseUrl } from '../../../shared/url.ts';
import type { Mode } from '../mode.ts';
import { confidentialUrlDescription, type Env, integerIn, isConfidential } from './env.ts';

/** The endpoint of the lender that makes credit decisions. */
export interface LenderConfig {
  /** Without a slash at the end. */
  url: string;
  /** One secret, or two while one is being replaced: `whsec_` and a key in base64. */
  secrets: string[];
  /** Certificates of the accepted certificate authorities, as PEM. */
  ca: string | undefined;
  /** For one request with all its attempts. */
  timeoutMs: number;
}

/**
 * Reads the lender; undefined if none is configured.
 *
 * @throws Error - a variable is invalid; the message contains its name, but no URL and no secret.
 */
export function lenderIn(env: Env, mode: Mode): LenderConfig | undefined {
  if (env['SCORE_URL']) {
    throw new Error('SCORE_URL: expected no value, because deciding by credit scores was removed; set LENDER_URL to a lender');
  }
  const url = env['LENDER_URL'] || undefined;
  const secret = env['LENDER_SECRET'] || undefined;
  if (url === undefined && secret === undefined) return undefined;
  if (url === undefined || !isEndpoint(url, mode)) {
    const because = url === undefined ? ', because LENDER_SECRET is set' : '';
    throw new Error(`LENDER_URL: expected ${confidentialUrlDescription(mode)} without user, query and fragment${because}`);
  }
  const secrets = (secret ?? '').split(',').map((one) => one.trim());
  if (secrets.length > 2 || !secrets.every(isSecret)) {
    throw new Error('LENDER_SECRET: expected whsec_ and 24 to 64 bytes in base64, or two of them separated by a comma');
  }
  const timeoutMs = integerIn(env, 'LENDER_TIMEOUT_MS', 10_000, { expected: 'milliseconds', min: 100, max: 60_000 });
  return { url: url.replace(/(?<!\/)\/+$/, ''), secrets, ca: certificatesIn(env['LENDER_CA']), timeoutMs };
}

/** Reads the lender of a service. @throws Error - none is configured, or a variable is invalid. */
export function requireLender(env: Env): LenderConfig {
  const lender = lenderIn(env, env['MODE'] === 'live' ? 'live' : 'sandbox');
  if (!lender) throw new Error('LENDER_URL: expected the address of a lender');
  return lender;
}

/**
 * Reads the lender at a URL, for a check of its test environment: https, or http to this machine.
 *
 * @throws Error - the URL or a variable is invalid; the message contains no secret.
 */
export function requireLenderAt(url: string, env: Env): LenderConfig {
  // The removed variable of a service in the same environment must not prevent the check.
  const lender = lenderIn({ ...env, LENDER_URL: url, SCORE_URL: undefined }, 'sandbox');
  if (!lender) throw new Error('URL: expected the address of a lender');
  return lender;
}

function isEndpoint(address: string, mode: Mode): boolean {
  const parsed = parseUrl(address);
  if (!parsed || /[?#]/.test(address) || parsed.username || parsed.password) return false;
  return isConfidential(parsed, mode);
}

/** The size of a key is that of the Standard Webhooks specification. */
function isSecret(secret: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  // Encoded again, because `Buffer.from` ignores what is not base64.
  return key.length >= 24 && key.length <= 64 && key.toString('base64').replaceAll('=', '') === base64!.replaceAll('=', '');
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesIn(file: string | undefined): string | undefined {
  if (!file) return undefined;
  const certificates = textOf(file).match(CERTIFICATE) ?? [];
  try {
    certificates.forEach((pem) => new X509Certificate(pem));
  } catch {
    // One that cannot be read makes the whole file invalid.
    certificates.length = 0;
  }
  if (certificates.length === 0) throw new Error(`LENDER_CA: expected certificates as PEM in ${file}, but found something else`);
  return certificates.join('\n');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new Error(`LENDER_CA: ${messageOf(thrown)}`, { cause: thrown });
  }
}
