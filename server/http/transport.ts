import { isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { TLSSocket } from 'node:tls';
import { ServiceError } from '../errors.ts';
import type { Mode } from '../mode.ts';

export interface TransportRules {
  /** In the sandbox, plain HTTP is let in within this machine. */
  mode: Mode;
  /** Whether everything that arrives comes from a proxy of one's own, so that its `X-Forwarded-Proto` can be believed. */
  trustProxy: boolean;
}

/** A year: how long browsers remember that a live service is reached by HTTPS alone. */
const HSTS = 'max-age=31536000';

/** What is said to whoever comes by plain HTTP. */
export const HTTPS_REQUIRED = 'Expected HTTPS, but received plain HTTP.';

/**
 * Refuses plain HTTP that comes over a network, before anything of it is read: keys and personal data would travel in
 * the open. The connection is closed, lest more of them follow.
 *
 * @see Interface, "Authentication", merchant API, rule 2; decisions/0015.
 * @throws ServiceError `https-required`
 */
export function requireSecureTransport(rules: TransportRules): Middleware {
  return (ctx, next) => {
    const travelled = howItTravelled(ctx.req, rules.trustProxy);
    if (travelled === 'https') {
      if (rules.mode === 'live') ctx.set('strict-transport-security', HSTS);
      return next();
    }
    if (travelled === 'within this machine' && rules.mode === 'sandbox') return next();
    ctx.set('connection', 'close');
    throw new ServiceError('https-required', HTTPS_REQUIRED);
  };
}

function howItTravelled({ socket, headers }: IncomingMessage, trustProxy: boolean): 'https' | 'http' | 'within this machine' {
  const { encrypted, localAddress = '' } = socket as TLSSocket;
  // Each proxy adds a word at the end; that of ours is the last, and those before it are anybody's.
  const forwarded = trustProxy ? String(headers['x-forwarded-proto'] ?? '') : '';
  if (forwarded !== '') return /(^|,)\s*https\s*$/i.test(forwarded) ? 'https' : 'http';
  if (encrypted) return 'https';
  return isLoopbackAddress(localAddress) ? 'within this machine' : 'http';
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}
