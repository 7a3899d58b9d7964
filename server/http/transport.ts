import type { IncomingMessage } from 'node:http';
import type { Config } from '../base/config/config.ts';
import { isLoopback } from '../base/config/env.ts';
import { ServiceError } from '../base/errors.ts';
import type { Middleware } from './context.ts';

/** The proxy's `X-Forwarded-Proto` is trusted with `trustProxy` only. In the sandbox, plain HTTP is allowed from this machine. */
export type TransportRules = Pick<Config, 'mode' | 'trustProxy'>;

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
  // The address that the client has connected to: only this machine can reach a loopback address.
  return isLoopback(localAddress.replace(/^::ffff:/, '')) ? 'loopback' : 'http';
}
