import { messageOf } from '../errors.ts';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';
import { groupIn, numberIn, readAll } from './read-settings.ts';

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
  const lender = groupIn(env, mode, ['LENDER_URL', 'LENDER_SECRET']);
  if (!lender) return undefined;
  return readAll((read) => ({
    url: lender.LENDER_URL.replace(/(?<!\/)\/+$/, ''),
    secrets: lender.LENDER_SECRET.split(',').map((one) => one.trim()),
    ca: read(() => certificatesIn(env['LENDER_CA'])),
    timeoutMs: read(() => numberIn(env, 'LENDER_TIMEOUT_MS', mode)),
  }));
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
  const lender = lenderIn({ ...env, LENDER_URL: url }, 'sandbox');
  if (!lender) throw new Error('URL: expected the address of a lender');
  return lender;
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
