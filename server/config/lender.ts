import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseUrl } from '../../shared/url.ts';
import type { Mode } from '../mode.ts';
import { confidentialUrlDescription, type Env, integerIn, isConfidential } from './env.ts';

/** A lender's or credit bureau's endpoint. */
export interface EndpointConfig {
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
 * Source of credit decisions: the lender's endpoint, or the built-in rules with credit scores. `maxPaymentToIncomePercent` limits the
 * monthly payment to a share of the buyer's gross monthly income.
 */
export type LenderConfig =
  | { kind: 'remote'; endpoint: EndpointConfig }
  | { kind: 'rules'; endpoint: EndpointConfig; maxPaymentToIncomePercent: number };

/**
 * Reads the lender that makes credit decisions; undefined if none is configured.
 *
 * @throws Error - a variable is invalid; the message contains its name, but no URL and no secret.
 */
export function lenderIn(env: Env, mode: Mode): LenderConfig | undefined {
  const remote = endpointIn(env, 'LENDER', mode);
  const scores = endpointIn(env, 'SCORE', mode);
  if (remote && scores)
    throw new Error('SCORE_URL: expected no value with LENDER_URL, because that lender decides without scores');
  if (remote) return { kind: 'remote', endpoint: remote };
  if (!scores) return undefined;
  const maxPaymentToIncomePercent = integerIn(env, 'MAX_PAYMENT_TO_INCOME', 10, { expected: 'percent', min: 1, max: 100 });
  return { kind: 'rules', endpoint: scores, maxPaymentToIncomePercent };
}

function endpointIn(env: Env, name: 'LENDER' | 'SCORE', mode: Mode): EndpointConfig | undefined {
  const url = env[`${name}_URL`] || undefined;
  const secret = env[`${name}_SECRET`] || undefined;
  if (url === undefined && secret === undefined) return undefined;
  if (url === undefined || !isEndpoint(url, mode)) {
    const because = url === undefined ? `, because ${name}_SECRET is set` : '';
    throw new Error(`${name}_URL: expected ${confidentialUrlDescription(mode)} without user, query and fragment${because}`);
  }
  const secrets = (secret ?? '').split(',').map((one) => one.trim());
  if (secrets.length > 2 || !secrets.every(isSecret)) {
    throw new Error(`${name}_SECRET: expected whsec_ and 24 to 64 bytes in base64, or two of them separated by a comma`);
  }
  const timeoutMs = integerIn(env, `${name}_TIMEOUT_MS`, 10_000, { expected: 'milliseconds', min: 100, max: 60_000 });
  return { url: url.replace(/\/+$/, ''), secrets, ca: certificatesIn(env, `${name}_CA`), timeoutMs };
}

function isEndpoint(address: string, mode: Mode): boolean {
  const parsed = parseUrl(address);
  if (!parsed || /[?#]/.test(address) || parsed.username || parsed.password) return false;
  return isConfidential(parsed, mode);
}

function isSecret(secret: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 && key.toString('base64').replace(/=+$/, '') === base64!.replace(/=+$/, '');
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesIn(env: Env, name: string): string | undefined {
  const file = env[name] || undefined;
  if (file === undefined) return undefined;
  const certificates = textOf(name, file).match(CERTIFICATE) ?? [];
  try {
    certificates.forEach((pem) => new X509Certificate(pem));
  } catch {
    certificates.length = 0;
  }
  if (certificates.length === 0) throw new Error(`${name}: expected certificates as PEM in ${file}, but found something else`);
  return certificates.join('\n');
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new Error(`${name}: ${(thrown as Error).message}`, { cause: thrown });
  }
}
