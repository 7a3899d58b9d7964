import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { type Html, renderHtml } from '../http/html.ts';
import type { StaticFile } from '../http/static-files.ts';
import { layout } from './templates/layout.ts';
import { trouble, unreadable } from './templates/outcomes.ts';
import { completeUrlOf, errorUrlOf, type Session } from './session.ts';

export interface Page {
  title: string;
  /** The visible heading, when it is not the title. */
  heading?: string;
  /** Which form step this is, from 0. */
  step?: number;
  session?: Session | undefined;
  content: Html;
}

/** Says which checkout a request is about, so that whatever is thrown while it is served can lead back to its shop. */
export function noteSession(ctx: Pick<Context, 'state'>, session: Session | undefined): void {
  ctx.state['session'] = session;
}

export type ShowPage = (ctx: Context, status: number, page: Page) => void;

/**
 * Keeps every answer to a buyer private. Redirects too must not be stored: going back, a browser would follow the ones
 * it remembers, in circles.
 */
export const keepPrivate: Middleware = (ctx, next) => {
  ctx.set('cache-control', 'no-store');
  ctx.set('referrer-policy', 'no-referrer');
  ctx.set('x-robots-tag', 'noindex');
  return next();
};

/** Answers with a checkout page. */
export function showPageWith(stylesheet: StaticFile): ShowPage {
  return (ctx, status, page) => {
    ctx.status = status;
    ctx.set('content-security-policy', contentSecurityPolicy(page.session));
    ctx.type = 'html';
    ctx.body = renderHtml(layout({ heading: page.title, ...page, stylesheet: stylesheet.url }));
  };
}

/**
 * No scripts, our own style sheet, the pictures of the cart's articles, and frames on the merchant's pages only.
 *
 * A form's answer may lead on to the shop, and browsers hold every hop of that way against `form-action`: the shop's
 * two addresses are named, and https in general, since shops redirect further.
 */
function contentSecurityPolicy(session: Session | undefined): string {
  const images = webOrigins((session?.options.items ?? []).map(({ imageUrl }) => imageUrl));
  const shop = session ? webOrigins([completeUrlOf(session), errorUrlOf(session)]) : [];
  const framers = session?.origins ?? [];
  return [
    "default-src 'none'",
    "style-src 'self'",
    ['img-src', "'self'", 'data:', ...images].join(' '),
    ['form-action', "'self'", 'https:', ...shop].join(' '),
    ['frame-ancestors', ...(framers.length > 0 ? framers : ["'none'"])].join(' '),
    "base-uri 'none'",
  ].join('; ');
}

/** The origins of web addresses, each once. */
function webOrigins(addresses: readonly string[]): string[] {
  const urls = addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address));
  // Host names may hold semicolons and stars, which mean something in a policy.
  return [...new Set(urls.map(({ origin }) => origin).filter((origin) => /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin)))];
}

/**
 * Turns whatever is thrown while a buyer is served into a page, or into the way back.
 *
 * A refusal after a form was posted means that the checkout has moved on meanwhile, in another tab or on another
 * device: the link itself leads to where it is.
 */
export function pageErrors(showPage: ShowPage): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) {
        ctx.app.emit('error', thrown, ctx);
        const session = ctx.state['session'] as Session | undefined;
        showPage(ctx, 500, { ...trouble(session), session });
      } else if (thrown.refusal === 'body-too-large') showPage(ctx, 413, unreadable);
      else if (thrown.refusal === 'invalid-request') showPage(ctx, 400, unreadable);
      else {
        ctx.status = 303;
        ctx.set('location', ctx.path.split('/').slice(0, 3).join('/'));
        ctx.body = '';
      }
    }
  };
}
