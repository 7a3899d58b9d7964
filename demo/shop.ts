import { Fairterm, type FairtermOptions } from 'fairterm/client';
import Koa from 'koa';
import { assets } from './assets.ts';
import { browseRoutes } from './browse.ts';
import { callbackRoutes } from './callback.ts';
import { checkoutRoutes } from './checkout.ts';
import { friendlyErrors } from './errors.ts';
import { OrderBook } from './orders.ts';
import { securityHeaders } from './security.ts';

export interface ShopOptions extends FairtermOptions {
  /** Where browsers and the financing service reach this shop, without a slash at the end. */
  shopUrl: string;
  /** What callbacks are signed with; without any, they are taken unsigned. */
  callbackSecrets?: readonly string[];
  /** Where the shop writes what went wrong; the console by default. */
  log?: (line: string) => void;
}

/** What the routes work with. The key pair's secret is not among it: only the client knows it. */
export interface Shop {
  serviceUrl: string;
  apiKey: string;
  shopUrl: string;
  fairterm: Fairterm;
  orders: OrderBook;
  callbackSecrets: readonly string[];
  log: (line: string) => void;
}

/** The shop on one page: what a request meets, in this order. */
export function createShop({ shopUrl, callbackSecrets = [], log = console.error, ...service }: ShopOptions): Koa {
  const { serviceUrl, apiKey } = service;
  const fairterm = new Fairterm(service);
  const shop: Shop = { serviceUrl, apiKey, shopUrl, fairterm, orders: new OrderBook(), callbackSecrets, log };
  const app = new Koa();

  app.use(securityHeaders(serviceUrl));
  app.use(assets());
  app.use(friendlyErrors(log));
  app.use(browseRoutes(shop).routes());
  app.use(checkoutRoutes(shop).routes());
  app.use(callbackRoutes(shop).routes());

  return app;
}
