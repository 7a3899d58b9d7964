import type { Context, Middleware } from 'koa';
import { ServiceError } from '../../errors.ts';
import type { Mode } from '../../mode.ts';
import { sendCompressed } from '../../http/compressed.ts';
import { renderHtml } from '../../http/html.ts';
import { newToken } from '../../ids.ts';
import type { StaticFile } from '../../http/static-files.ts';
import { layout, type PageFrame } from './layout.ts';
import { tooManyRequests, trouble, unreadable } from '../outcomes/outcomes.ts';
import { type View, viewAlong } from './view.ts';
import type { Clock } from '../../time.ts';
import { displayOf } from './display.ts';
import type { OwnForms } from './form-guard.ts';
import { formToken } from './form-token.ts';
import { policyHeaders, privateHeaders } from './headers.ts';
import { errorRedirect } from './redirects.ts';
import type { Session } from '../session/session.ts';
import { isRenewing, LANGUAGES, oneOf, type Place, type Way, wayAlong } from './way.ts';

/** A page without its frame; its heading is its title where it names none. */
export type Page = Omit<PageFrame, 'heading' | 'stylesheet' | 'script'> &
  Partial<Pick<PageFrame, 'heading'>> & {
    /** Whether a form of it leads to a page of another service. */
    leadsOut?: boolean;
  };

/**
 * Notes which checkout a request is about, so that whatever is thrown while it is served can lead back to it.
 *
 * @param secret - The one whose session it is, if it has an application.
 */
export function noteSession(ctx: Pick<Context, 'state'>, session: Session | undefined, secret?: string): void {
  ctx.state['session'] = session;
  ctx.state['secret'] = session?.application && secret;
}

/** Notes that the checkout continues under another secret from here on. */
export function continueUnder(ctx: Pick<Context, 'state'>, secret: string): void {
  ctx.state['secret'] = secret;
}

/**
 * The way of the buyer who asks: the language that the address names, else the one they went on in before, else the one their
 * browser prefers.
 */
export function wayOf(ctx: Context, seal?: Way['seal']): Way {
  const session = ctx.state['session'] as Session | undefined;
  const [, kind, linkCode = ''] = ctx.path.split('/');
  const code = session?.cart.code ?? linkCode;
  const lang = oneOf(LANGUAGES, ctx.query['lang']) ?? session?.application?.language ?? preferredLanguage(ctx);
  const display = displayOf(ctx.query['display'], ctx.headers['sec-fetch-dest']);
  return wayAlong({ code, secret: secretOf(ctx), lang, display, seal }, kind === 'a' ? 'a' : 'c');
}

function secretOf({ state }: Pick<Context, 'state'>): string | undefined {
  return state['secret'] as string | undefined;
}

function preferredLanguage(ctx: Context): Way['lang'] {
  ctx.vary('accept-language');
  return oneOf(LANGUAGES, ctx.acceptsLanguages([...LANGUAGES])) ?? 'en';
}

export type ShowPage = (ctx: Context, status: number, page: (view: View) => Page) => void;

/**
 * Keeps every answer to a buyer private. Redirects too must not be stored: going back, a browser would follow the ones
 * it remembers, in circles.
 */
export const keepPrivate: Middleware = (ctx, next) => {
  ctx.set(privateHeaders(displayOf(ctx.query['display'], ctx.headers['sec-fetch-dest'])));
  return next();
};

/** What pages are made of beside what they show. */
export interface PageParts {
  stylesheet: StaticFile;
  script: StaticFile;
  forms: OwnForms;
  clock: Clock;
  mode: Mode;
}

/** Answers with a checkout page. */
export function showPageWith({ stylesheet, script, forms, clock, mode }: PageParts): ShowPage {
  return (ctx, status, pageIn) => {
    const cartId = (ctx.state['session'] as Session | undefined)?.cart.id ?? '';
    const seal = (place: Place) => {
      const nextSecret = isRenewing(place) ? newToken(16) : '';
      return { formToken: formToken(forms.key, { cartId, secret: secretOf(ctx), place, nextSecret }, clock.now()), nextSecret };
    };
    const view = viewAlong(wayOf(ctx, seal), mode === 'sandbox');
    const page = pageIn(view);
    ctx.status = status;
    ctx.set('content-language', view.way.lang);
    ctx.set(policyHeaders(page.session, view.way.display, mode, page.leadsOut));
    ctx.type = 'html';
    sendCompressed(
      ctx,
      renderHtml(layout({ heading: page.title, ...page, stylesheet: stylesheet.url, script: script.url }, view)),
    );
  };
}

/**
 * Ends a checkout that has failed: redirects to `errorUrl`.
 *
 * In a frame or a window of the shop's page it shows a page of ours instead, which tells the shop's page where to go (decisions/0034).
 * The script of a page that waits may follow no redirect out of the service: it gets that page too, and opens it.
 */
export function leave(ctx: Context, session: Session, show: () => void): void {
  if (wayOf(ctx).display !== 'page' || ctx.get('x-requested-with') === 'fetch') return show();
  ctx.status = 303;
  ctx.set('location', errorRedirect(session));
  ctx.body = '';
}

/**
 * Whether a lender may be deciding, or have accepted what is signed, although the request failed. Such a checkout is no failure to the
 * shop: it is gone on with, and may yet be completed.
 */
function isUnderWay({ method }: Context, { reached }: Session): boolean {
  if (reached === 'waiting' || reached === 'completed') return true;
  return method === 'POST' && (reached === 'apply' || reached === 'agreement');
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
        const isFailure = session === undefined || !isUnderWay(ctx, session);
        const show = (): void => showPage(ctx, 500, (view) => ({ ...trouble(session, isFailure, view), session, isFailure }));
        if (session && isFailure) leave(ctx, session, show);
        else show();
      } else if (thrown.refusal === 'rate-limited') showPage(ctx, 429, tooManyRequests);
      else if (thrown.refusal === 'body-too-large') showPage(ctx, 413, unreadable);
      else if (thrown.refusal === 'unsupported-encoding') showPage(ctx, 415, unreadable);
      else if (thrown.refusal === 'invalid-request') showPage(ctx, 400, unreadable);
      else {
        ctx.status = 303;
        ctx.set('location', wayOf(ctx).to());
        ctx.body = '';
      }
    }
  };
}
