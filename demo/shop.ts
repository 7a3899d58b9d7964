import Koa from 'koa';
import { assets } from './assets.ts';
import { browseRoutes } from './browse.ts';
import { callbackRoutes } from './callback.ts';
import { checkoutRoutes } from './checkout.ts';
import { friendlyErrors } from './errors.ts';
import { Fairterm, type FairtermOptions } from './fairterm.ts';
import { OrderBook } from './orders.ts';
import { securityHeaders } from './security.ts';

export interface ShopOptions extends FairtermOptions {
  /** Where browsers and the financing service reach this shop, without a slash at the end. */
  shopUrl: string;
  /** Where the shop writes what went wrong; the console by default. */
  log?: (line: string) => void;
}

/** What the routes work with. The secret is not among it: only the client knows it. */
export interface Shop {
  serviceUrl: string;
  apiKey: string;
  shopUrl: string;
  fairterm: Fairterm;
  orders: OrderBook;
  log: (line: string) => void;
}

/** The shop on one page: what a request meets, in this order. */
export function createShop({ shopUrl, log = console.error, ...service }: ShopOptions): Koa {
  const { serviceUrl, apiKey } = service;
  const shop: Shop = { serviceUrl, apiKey, shopUrl, fairterm: new Fairterm(service), orders: new OrderBook(), log };
  const app = new Koa();

  app.use(securityHeaders(serviceUrl));
  app.use(assets());
  app.use(friendlyErrors(log));
  app.use(browseRoutes(shop).routes());
  app.use(checkoutRoutes(shop).routes());
  app.use(callbackRoutes(shop).routes());

  return app;
}
