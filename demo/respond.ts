import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { Context } from 'koa';
import { countOf, readBag, writeBag, type Bag } from './bag.ts';
import { layout, type Page } from './pages/layout.ts';

const COOKIE = 'alder_bag';

export function bagOf(ctx: Context): Bag {
  return readBag(ctx.cookies.get(COOKIE));
}

/** Keeps the bag in the visitor's browser until it is closed. */
export function keepBag(ctx: Context, bag: Bag): void {
  ctx.cookies.set(COOKIE, bag.length > 0 ? writeBag(bag) : null, { httpOnly: true, sameSite: 'lax', secure: ctx.secure });
}

/** Answers with a page of the shop. Nothing is cached on the way: each page shows this visitor's bag. */
export function showPage(ctx: Context, page: Page, { status = 200, bag = bagOf(ctx) } = {}): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = collectResultSync(render(layout(page, countOf(bag))));
}

/** Sends the browser to another page, whatever the method was. */
export function seeOther(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.status = 303;
}

/** A query parameter given exactly once. */
export function queryOf(ctx: Context, name: string): string {
  const value = ctx.query[name];
  return typeof value === 'string' ? value : '';
}
