import { createHash, timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Clock } from '../../time.ts';
import { findSession } from '../load-session.ts';
import type { CheckoutMeans } from '../means.ts';
import { noteSession, type ShowPage, wayOf } from '../pages.ts';
import { declinedWithReasons } from '../templates/declined.ts';
import { noticePlace } from './notice.ts';

/** The reasons of a denial, at a link that only the answer to the buyer's own application leads to. */
export function noticeRoutes({ database }: Pick<CheckoutMeans, 'database'>, clock: Clock, showPage: ShowPage): Router {
  const router = new Router({ prefix: '/c/:code/notice/:notice' });

  router.get('/', async (ctx: Context & { params: Record<string, string> }) => {
    const session = await findSession(database.query, ctx.params['code']!, clock.now());
    noteSession(ctx, session);
    const secret = session?.application?.notice_code;
    if (session?.reached !== 'declined' || !secret || !isSame(ctx.params['notice']!, secret)) {
      ctx.status = 303;
      ctx.set('location', wayOf(ctx).to());
      ctx.body = '';
      return;
    }
    showPage(ctx, 200, (view) => ({ ...declinedWithReasons(session, view), session, place: noticePlace(secret) }));
  });

  return router;
}

/** Compared in the same time, whatever they have in common. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}
