import type { Middleware } from 'koa';

/**
 * What a page of this shop may load, send and be put into: its own files and the financing widget's, nothing else.
 *
 * This is all that a shop with a strict policy has to allow for the widget: script, style and connect from the service,
 * and frame if the checkout is opened inside the page, by way of an address of the shop: hence 'self'.
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
