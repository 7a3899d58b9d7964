import type { Middleware } from 'koa';

/**
 * Sets a strict Content Security Policy, which allows only the shop's own files and the financing widget.
 *
 * A strict policy has to allow the service's origin in `script-src`, `style-src` and `connect-src`, and in `frame-src` if the
 * checkout opens in a dialog. `frame-src` also needs 'self', because the frame first loads a URL of the shop, which redirects to the
 * checkout.
 */
export function securityHeaders(serviceUrl: string): Middleware {
  const service = new URL(serviceUrl).origin;
  const policy = [
    `default-src 'none'`,
    `script-src ${service}`,
    `style-src 'self' ${service}`,
    `connect-src ${service}`,
    `frame-src 'self' ${service}`,
    `img-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

  return async (ctx, next) => {
    ctx.set('Content-Security-Policy', policy);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'strict-origin-when-cross-origin');
    await next();
  };
}
