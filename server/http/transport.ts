import { propertyOf } from '../../shared/objects.ts';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { createSecureContext } from 'node:tls';
import { messageOf, ServiceError } from '../errors.ts';
import type { Mode } from '../mode.ts';
import type { Middleware } from './context.ts';

export interface TransportRules {
  /** In the sandbox, plain HTTP is allowed from this machine. */
  mode: Mode;
  /** True if all requests are sent by the operator's proxy, so that `X-Forwarded-Proto` can be trusted. */
  trustProxy: boolean;
}

/** Browsers use only HTTPS for a live service and its subdomains for one year. */
const HSTS = 'max-age=31536000; includeSubDomains';

/** Error message for requests over plain HTTP. */
export const HTTPS_REQUIRED = 'Expected HTTPS, but received plain HTTP.';

/**
 * Rejects plain HTTP over a network before reading the body, because keys and personal data would not be encrypted. Closes the
 * connection, so that no further requests are sent over it.
 *
 * @see server/docs/security.md; server/decisions/0015.
 * @throws ServiceError `https-required`
 */
export function requireSecureTransport(rules: TransportRules): Middleware {
  return (ctx, next) => {
    const transport = transportOf(ctx.req, rules.trustProxy);
    if (transport === 'https') {
      if (rules.mode === 'live') ctx.set('strict-transport-security', HSTS);
      return next();
    }
    if (transport === 'loopback' && rules.mode === 'sandbox') return next();
    ctx.set('connection', 'close');
    throw new ServiceError('https-required', HTTPS_REQUIRED);
  };
}

function transportOf({ socket, headers }: IncomingMessage, trustProxy: boolean): 'https' | 'http' | 'loopback' {
  const { localAddress = '' } = socket;
  // Each proxy appends a value. Ours is the last; earlier values are not trusted.
  const forwarded = trustProxy ? String(headers['x-forwarded-proto'] ?? '') : '';
  if (forwarded !== '') return /(^|,)\s*https\s*$/i.test(forwarded) ? 'https' : 'http';
  if (propertyOf(socket, 'encrypted') === true) return 'https';
  return isLoopbackAddress(localAddress) ? 'loopback' : 'http';
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** A certificate chain and its private key, as PEM. */
export interface TlsPair {
  cert: Buffer;
  key: Buffer;
}

/**
 * Reads the certificate and its key.
 *
 * @throws Error - a file cannot be read or parsed, or the certificate and key do not match; the message names the variable.
 */
export function readTlsPair({ certFile, keyFile }: { certFile: string; keyFile: string }): TlsPair {
  const pair = { cert: readVariable('TLS_CERT', certFile), key: readVariable('TLS_KEY', keyFile) };
  requireValid('TLS_CERT', `a certificate as PEM in ${certFile}`, { cert: pair.cert });
  requireValid('TLS_KEY', `a private key as PEM, without a passphrase, in ${keyFile}`, { key: pair.key });
  requireValid('TLS_KEY', `the private key of the certificate ${certFile} in ${keyFile}`, pair);
  return pair;
}

function readVariable(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw new Error(`${variable}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function requireValid(variable: string, expected: string, part: Partial<TlsPair>): void {
  try {
    createSecureContext(part);
  } catch (thrown) {
    throw new Error(`${variable}: expected ${expected}, but found something else`, { cause: thrown });
  }
}
