import { Fairterm, type FairtermOptions, verifyCallback } from '@fairterm/client';
import Koa, { type Context, type Middleware } from 'koa';
import { checkoutRoutes } from './checkout.ts';
import { errorPages, plainTextErrors } from './errors.ts';
import { OrderBook } from './orders.ts';
import { Router } from '@koa/router';
import { create, optional, pattern, string, type } from 'superstruct';
import { MAX_QUANTITY, quantityOf, withQuantity } from './bag.ts';
import { findProduct } from './catalog.ts';
import { bagPage, modes } from './pages/bag.ts';
import { catalogPage, productPage } from './pages/catalog.ts';
import { badRequestPage } from './pages/message.ts';
import { bagOf, queryParam, saveBag, seeOther, shopForms, showPage } from './respond.ts';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import bodyParser from 'koa-bodyparser';
import { confirmOrder } from './confirm.ts';

export interface ShopOptions extends FairtermOptions {
  /** The public URL of this shop, without a trailing slash. */
  shopUrl: string;
  /** Address of the merchant's console, to which the thank-you page links. */
  consoleUrl?: string;
  /** Secrets that verify callbacks: two during a rotation. */
  callbackSecrets: readonly string[];
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
  const { shopUrl, serviceUrl, apiKey, consoleUrl, callbackSecrets, log = console.error } = options;
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

/** `add` increments the quantity of a product, and `quantity` sets it. */
const BagForm = type({ slug: string(), add: optional(string()), quantity: optional(pattern(string(), /^[0-5]$/)) });

/** The catalog, product pages and the bag. These routes do not call the financing service. */
function browseRoutes({ serviceUrl, apiKey, shopUrl }: Shop): Router {
  const router = new Router();

  router.get('/', (ctx) => showPage(ctx, catalogPage(serviceUrl, apiKey)));

  router.get('/products/:slug', (ctx) => {
    const product = findProduct(ctx.params.slug ?? '');
    if (product) showPage(ctx, productPage(product, serviceUrl, apiKey));
  });

  router.get('/bag', (ctx) => {
    const mode = modes.find((name) => name === queryParam(ctx, 'mode')) ?? 'redirect';
    const isSignedIn = queryParam(ctx, 'buyer') === 'ada';
    showPage(ctx, bagPage(bagOf(ctx), { mode, isSignedIn }, serviceUrl, apiKey));
  });

  router.post('/bag', shopForms(shopUrl), (ctx) => {
    const { slug, add, quantity } = create(ctx.request.body, BagForm);
    const product = findProduct(slug);
    const bag = bagOf(ctx);
    if (!product || !(add ?? quantity)) return showPage(ctx, badRequestPage, { status: 400 });

    const incremented = Math.min(quantityOf(bag, product) + 1, MAX_QUANTITY);
    saveBag(ctx, withQuantity(bag, product, add ? incremented : Number(quantity)));
    seeOther(ctx, '/bag');
  });

  return router;
}

const assetsFolder = new URL('./assets/', import.meta.url);

/** Serves the files in `assets/`. They are read once at the start, and cached by browsers for an hour. */
function assets(): Middleware {
  const files = new Map(readdirSync(assetsFolder).map((name) => [`/assets/${name}`, asset(name)]));

  return async (ctx, next) => {
    const file = files.get(ctx.path);
    if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      await next();
      return;
    }
    ctx.status = 200;
    ctx.type = file.type;
    ctx.etag = file.etag;
    ctx.set('Cache-Control', 'public, max-age=3600');
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = file.body;
  };
}

function asset(name: string) {
  const body = readFileSync(new URL(name, assetsFolder));
  return { body, type: extname(name), etag: createHash('sha256').update(body).digest('base64url').slice(0, 16) };
}

/** Receives the callback of a completed checkout. The service retries it until the response is 2xx. */
function callbackRoutes(shop: Shop): Router {
  const { orders, callbackSecrets, log } = shop;
  const router = new Router();
  const json = bodyParser({ enableTypes: ['json'], jsonLimit: '4kb' });

  router.post('/financing/callback', plainTextErrors(log), json, async (ctx) => {
    const callback = { body: rawBodyOf(ctx), headers: ctx.headers, secrets: callbackSecrets };
    const { transactionId, orderRef } = await verifyCallback(callback);
    const order = orders.find(orderRef);
    // Orders are in memory: after a restart, an earlier order is unknown.
    if (!order || !(await confirmOrder(shop, order, transactionId))) {
      ctx.status = 404;
      ctx.body = 'Unknown order';
      return;
    }

    ctx.status = 204;
  });

  return router;
}

/** Returns the body as received. The parser sets it to an object for other content types. */
function rawBodyOf(ctx: Context): string {
  return typeof ctx.request.rawBody === 'string' ? ctx.request.rawBody : '';
}
