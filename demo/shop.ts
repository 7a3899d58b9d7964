import { Fairterm, type FairtermOptions } from 'fairterm/client';
import Koa from 'koa';
import { assets } from './assets.ts';
import { browseRoutes } from './browse.ts';
import { callbackRoutes } from './callback.ts';
import { checkoutRoutes } from './checkout.ts';
import { errorPages } from './errors.ts';
import { OrderBook } from './orders.ts';
import { securityHeaders } from './security.ts';

export interface ShopOptions extends FairtermOptions {
  /** The public URL of this shop, without a trailing slash. */
  shopUrl: string;
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
  log: (line: string) => void;
}

/** Creates the shop. Requests pass through the middleware in the given order. */
export function createShop({ shopUrl, callbackSecrets = [], log = console.error, ...service }: ShopOptions): Koa {
  const { serviceUrl, apiKey } = service;
  const fairterm = new Fairterm(service);
  const shop: Shop = { serviceUrl, apiKey, shopUrl, fairterm, orders: new OrderBook(), callbackSecrets, log };
  const app = new Koa();

  app.use(securityHeaders(serviceUrl));
  app.use(assets());
  app.use(errorPages(log));
  app.use(browseRoutes(shop).routes());
  app.use(checkoutRoutes(shop).routes());
  app.use(callbackRoutes(shop).routes());

  return app;
}
