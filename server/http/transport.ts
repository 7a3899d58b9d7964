import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { ServiceError } from '../base/errors.ts';
import type { Mode } from '../base/mode.ts';
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
  return isLoopbackAddress(localAddress) ? 'loopback' : 'http';
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}
