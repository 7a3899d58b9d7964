import Router from '@koa/router';
import type { Middleware } from 'koa';
import { create } from 'superstruct';
import { parsedLink } from '../../../shared/url.ts';
import { FragmentQuery } from '../../../shared/wire/storefront.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import { sendCacheable } from '../../http/static-files.ts';
import { merchantOf } from '../../http/merchant-auth.ts';
import { allowPages, merchantOfKey, requireRegistered } from '../../http/page-access.ts';
import { limitByAddress, type RateLimiters } from '../../http/rate-limit.ts';
import { pageOriginsOf } from '../../merchants/merchants.ts';
import type { Mode } from '../../mode.ts';
import { type Clock, dateOf } from '../../time.ts';
import type { Release } from '../../widget-files/release.ts';
import { offerFor } from './fragment.ts';
import { fragmentMarkup } from './markup.ts';
import { voicesOf } from './words.ts';

/** As long as a page quotes from the programs it has. */
const CACHE = 'public, max-age=60, stale-while-revalidate=86400';

/** Of the fragment looked at by itself, where it is a page of ours that others chose the words of. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; sandbox";

export interface FragmentOptions {
  database: Database;
  clock: Clock;
  publicUrl: string;
  widget: Release;
  limits: RateLimiters;
  mode: Mode;
  trustProxy: boolean;
  /** Lets merchants through. */
  authenticate: Middleware;
}

/** The markup of a `<financing-button>` that has its estimate with it (server/decisions/0027). */
export function fragmentRoutes(options: FragmentOptions): Router {
  const { database, clock, publicUrl, widget, limits, mode, trustProxy, authenticate } = options;
  const router = new Router();
  const voiceOf = voicesOf(widget);
  const stylesheet = `${publicUrl}/widget/${widget.version}/shadow.css`;
  const limit = limitByAddress(limits.readsPerAddress, trustProxy);
  // A shop's server asks for all its visitors, from one address.
  const admit: Middleware = (ctx, next) => (ctx.get('authorization') ? authenticate : limit)(ctx, next);

  router.get('/widget/v1/fragment', allowPages(database, mode), admit, async (ctx) => {
    ctx.vary('authorization');
    requireKnownNames(Object.keys(ctx.query));
    const query = create(ctx.query, FragmentQuery);
    const merchant = await merchantOfKey(database.query, query.key);
    const isShop = ctx.get('authorization') !== '';
    if (isShop && merchantOf(ctx).id !== merchant.id) {
      throw new ServiceError('unauthenticated', 'Expected `key` to be of the merchant whose secret came with it.');
    }
    const origin = ctx.get('origin');
    const cartUrl = query['cart-url'];
    if (origin || (cartUrl && !isShop)) {
      const registered = await pageOriginsOf(database.query, merchant.id, mode);
      if (origin) requireRegistered(origin, registered);
      // The key is public: only the shop may have a page of the service lead elsewhere. Relative addresses stay on the page's site.
      if (cartUrl && !isShop)
        requireRegistered(parsedLink(cartUrl, publicUrl)!.origin, [...registered, new URL(publicUrl).origin]);
    }
    const voice = voiceOf(query.lang ?? '');
    const offer = await offerFor(database.query, merchant, query, voice.locale, dateOf(clock.now()));
    ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
    const fragment = { query, apiKey: query.key!, service: publicUrl, stylesheet, voice, offer };
    sendCacheable(ctx, 'html', fragmentMarkup(fragment), CACHE);
  });

  return router;
}

/** A name that is misspelled would be a link or a language that is missing. */
function requireKnownNames(names: readonly string[]): void {
  const known = Object.keys(FragmentQuery.schema);
  const other = names.find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new ServiceError(
    'invalid-request',
    `Expected none but ${known.join(', ')} in the query, but received ${other.slice(0, 100)}`,
  );
}
