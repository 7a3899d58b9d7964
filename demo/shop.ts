import { Fairterm, type FairtermOptions } from '@fairterm/client';
import Koa, { type Middleware } from 'koa';
import { assets } from './assets.ts';
import { browseRoutes } from './browse.ts';
import { callbackRoutes } from './callback.ts';
import { checkoutRoutes } from './checkout.ts';
import { errorPages } from './errors.ts';
import { OrderBook } from './orders.ts';

export interface ShopOptions extends FairtermOptions {
  /** The public URL of this shop, without a trailing slash. */
  shopUrl: string;
  /** Address of the merchant's console, to which the thank-you page links. */
  consoleUrl?: string;
  /** Secrets that verify callbacks. Without secrets, unsigned callbacks are accepted. */
  callbackSecrets?: readonly string[];
  /** Receives warnings and errors. Default: the console. */
  log?: (line: string) => void;
}

/** Dependencies of the routes. Only the client has the secret of the key pair. */
export interface Shop {
  serviceUrl: string;
  apiKey: string;
  shopUrl: string;
  fairterm: Fairterm;
  orders: OrderBook;
  callbackSecrets: readonly string[];
  consoleUrl: string | undefined;
  log: (line: string) => void;
}

/** Creates the shop. Requests pass through the middleware in the given order. */
export function createShop(options: ShopOptions): Koa {
  const { shopUrl, serviceUrl, apiKey, consoleUrl, callbackSecrets = [], log = console.error } = options;
  const fairterm = new Fairterm(options);
  const shop: Shop = { serviceUrl, apiKey, shopUrl, fairterm, orders: new OrderBook(), callbackSecrets, consoleUrl, log };
  const app = new Koa();

  app.use(securityHeaders(serviceUrl));
  app.use(assets());
  app.use(errorPages(log));
  app.use(browseRoutes(shop).routes());
  app.use(checkoutRoutes(shop).routes());
  app.use(callbackRoutes(shop).routes());

  return app;
}

/**
 * Sets a strict Content Security Policy, which allows only the shop's own files and the financing widget.
 *
 * A strict policy has to allow the service's origin in `script-src`, `style-src` and `connect-src`, and in `frame-src` if the
 * checkout opens in a dialog. `frame-src` also needs 'self', because the frame first loads a URL of the shop, which redirects to the
 * checkout.
 */
function securityHeaders(serviceUrl: string): Middleware {
  const service = new URL(serviceUrl).origin;
  const policy = [
    `default-src 'none'`,
    `script-src 'self' ${service}`,
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
