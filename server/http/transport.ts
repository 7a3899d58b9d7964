import { isIPv4 } from 'node:net';
import type { Middleware } from 'koa';
import type { TLSSocket } from 'node:tls';
import { ServiceError } from '../errors.ts';

/**
 * Refuses plain HTTP that comes over a network, before anything of it is read: keys and personal data would travel in
 * the open. Within this machine it is allowed, for the sandbox.
 *
 * @see Interface, "Authentication", merchant API, rule 2.
 * @throws ServiceError `https-required`
 */
export const requireSecureTransport: Middleware = (ctx, next) => {
  const { encrypted, localAddress = '' } = ctx.req.socket as TLSSocket;
  if (encrypted || isLoopbackAddress(localAddress)) return next();
  throw new ServiceError('https-required', 'Expected HTTPS, but received plain HTTP.');
};

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}
