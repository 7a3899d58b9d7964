import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { itemCount, readBag, writeBag, type Bag } from './bag.ts';
import { layout, type Page } from './pages/layout.ts';
import { wrongOriginPage } from './pages/message.ts';

const COOKIE = 'alder_bag';

/** Returns the visitor's bag, which only a cookie stores. */
export function bagOf(ctx: Context): Bag {
  return readBag(ctx.cookies.get(COOKIE));
}

/** Stores the bag in a session cookie. */
export function saveBag(ctx: Context, bag: Bag): void {
  ctx.cookies.set(COOKIE, bag.length > 0 ? writeBag(bag) : null, { httpOnly: true, sameSite: 'lax', secure: ctx.secure });
}

/** Responds with a page of the shop. Caches must not store pages, because each contains the visitor's bag. */
export function showPage(ctx: Context, page: Page, { status = 200, bag = bagOf(ctx) } = {}): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = collectResultSync(render(layout(page, itemCount(bag))));
}

/** Redirects to another page, which the browser requests with GET. */
export function seeOther(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.status = 303;
}

/** Returns a query parameter, or an empty string if it is missing or repeated. */
export function queryParam(ctx: Context, name: string): string {
  const value = ctx.query[name];
  return typeof value === 'string' ? value : '';
}

/**
 * Parses the forms of the shop, and rejects forms of other sites: browsers send the origin of the page with every POST. At another
 * address than `shopUrl`, for example 127.0.0.1 instead of localhost, the pages open, but their forms are rejected, too.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function shopForms(shopUrl: string): Middleware {
  const parse = bodyParser({ enableTypes: ['form'], formLimit: '4kb' });
  return async (ctx, next) => {
    if (ctx.get('origin') === shopUrl) await parse(ctx, next);
    else showPage(ctx, wrongOriginPage(shopUrl), { status: 403 });
  };
}
