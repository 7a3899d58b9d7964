import Router from '@koa/router';
import { create } from 'superstruct';
import { dateIn } from '../../../shared/dates.ts';
import { parseLink } from '../../../shared/url.ts';
import { languages } from '../../../shared/languages/disclosures.ts';
import { languageOf } from '../../../shared/languages/index.ts';
import { FragmentQuery, type Offer } from '../../../shared/wire/storefront.ts';
import { getSoldProgram, rateSheetOf } from '../../programs/programs.ts';
import { quoteOf } from '../../as-low-as/quotes.ts';
import type { Database, Query } from '../../db/database.ts';
import type { Middleware, State } from '../../http/context.ts';
import type { MerchantRow } from '../../merchants/store.ts';
import { ServiceError } from '../../errors.ts';
import { sendCacheable } from '../../http/static-files.ts';
import { merchantOf } from '../../http/merchant-auth.ts';
import { allowPages, merchantOfKey, requireRegistered } from '../../http/page-access.ts';
import { limitByAddress, type RateLimiters } from '../../http/rate-limit.ts';
import { pageOriginsOf } from '../../merchants/merchants.ts';
import type { Mode } from '../../mode.ts';
import type { Clock, Instant } from '../../time.ts';
import type { Release } from '../../widget-files/release.ts';
import { fragmentMarkup, localizedTexts } from './markup.ts';

/** The same as for `GET /storefront/programs`. */
const CACHE = 'public, max-age=60, stale-while-revalidate=86400';

/** For fragments that are opened as a page, because callers choose their texts. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; sandbox";

export interface FragmentOptions {
  database: Database;
  clock: Clock;
  publicUrl: string;
  widget: Release;
  limits: RateLimiters;
  mode: Mode;
  trustProxy: boolean;
  /** Authenticates merchants. */
  authenticate: Middleware;
}

/** Routes of the server-rendered markup of a `<financing-button>` (server/decisions/0027). */
export function fragmentRoutes(options: FragmentOptions): Router<State> {
  const { database, clock, publicUrl, widget, limits, mode, trustProxy, authenticate } = options;
  const router = new Router<State>();
  const textsFor = localizedTexts(widget);
  const stylesheet = `${publicUrl}/widget/${widget.version}/shadow.css`;
  const limit = limitByAddress(limits.readsPerAddress, trustProxy);
  // A shop's server requests markup for all its visitors from one address, so it authenticates instead.
  const authenticateOrLimit: Middleware = (ctx, next) => (ctx.get('authorization') ? authenticate : limit)(ctx, next);

  router.get('/widget/v1/fragment', allowPages(database, mode), authenticateOrLimit, async (ctx) => {
    ctx.vary('authorization');
    requireKnownParameters(Object.keys(ctx.query));
    const query = create(ctx.query, FragmentQuery);
    const merchant = await merchantOfKey(database.query, query.key);
    const isShop = ctx.get('authorization') !== '';
    if (isShop && merchantOf(ctx).id !== merchant.id) {
      throw new ServiceError('unauthenticated', 'Expected `key` to belong to the authenticated merchant.');
    }
    const origin = ctx.get('origin');
    const cartUrl = query['cart-url'];
    if (origin || (cartUrl && !isShop)) {
      const registered = await pageOriginsOf(database.query, merchant.id, mode);
      if (origin) requireRegistered(origin, registered);
      // The API key is public, so only an authenticated merchant may link to other origins. Relative URLs stay on the page's site.
      if (cartUrl && !isShop)
        requireRegistered(parseLink(cartUrl, publicUrl)!.origin, [...registered, new URL(publicUrl).origin]);
    }
    const texts = textsFor(query.lang ?? '');
    const offer = await offerFor(database.query, merchant, query, texts.locale, clock.now());
    ctx.set('content-security-policy', CONTENT_SECURITY_POLICY);
    const fragment = { query, apiKey: query.key!, service: publicUrl, stylesheet, texts, offer };
    sendCacheable(ctx, 'html', fragmentMarkup(fragment), CACHE);
  });

  return router;
}

/** Rejects unknown parameters: a misspelled name would otherwise silently omit a link or a language. */
function requireKnownParameters(names: readonly string[]): void {
  const known = Object.keys(FragmentQuery.schema);
  const other = names.find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new ServiceError(
    'invalid-request',
    `Expected only the parameters ${known.join(', ')}, but received ${other.slice(0, 100)}`,
  );
}

/**
 * Returns the offer for the markup: the same estimate as that of the element.
 *
 * @param locale - Locale of the element. The disclosure is in its language if that is available, and otherwise in English.
 * @throws ServiceError `program-not-found`
 */
async function offerFor(
  query: Query,
  merchant: MerchantRow,
  { amount, program: code }: FragmentQuery,
  locale: string,
  now: Instant,
): Promise<Offer> {
  const { program } = await getSoldProgram(query, merchant, code, now);
  const on = dateIn(now, program.timeZone);
  const texts = languages[languageOf(locale)];
  const { asLowAs } = quoteOf(program, amount, now, texts);
  const { currency, timeZone } = rateSheetOf(program);
  return { amountCents: amount, on, timeZone, program: code, currency, language: texts.language, quote: asLowAs };
}
