import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { type Html, renderHtml } from '../http/html.ts';
import type { StaticFile } from '../http/static-files.ts';
import { layout } from './templates/layout.ts';
import { trouble, unreadable } from './templates/outcomes.ts';
import { type Display, displayOf } from './display.ts';
import { policyHeaders, privateHeaders } from './page-policy.ts';
import type { Session } from './session.ts';

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
  ctx.set(privateHeaders(displayIn(ctx)));
  return next();
};

function displayIn(ctx: Pick<Context, 'query' | 'headers'>): Display {
  return displayOf(ctx.query['display'], ctx.headers['sec-fetch-dest']);
}

/** Answers with a checkout page. */
export function showPageWith(stylesheet: StaticFile): ShowPage {
  return (ctx, status, page) => {
    ctx.status = status;
    ctx.set(policyHeaders(page.session, displayIn(ctx)));
    ctx.type = 'html';
    ctx.body = renderHtml(layout({ heading: page.title, ...page, stylesheet: stylesheet.url }));
  };
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
