import { fileURLToPath } from 'node:url';
import { LANGUAGES } from '../../../shared/languages/index.ts';
import type { Operator } from '../../base/config/operator.ts';
import type { Query } from '../../db/database.ts';
import type { Context, Middleware, State } from '../../http/context.ts';
import { renderHtml, sendCompressed, seeOther } from '../../http/pages/html.ts';
import { type StaticFile, staticFile, createStylesheet } from '../../http/static-files.ts';
import { newToken } from '../../base/ids.ts';
import type { Mode } from '../../base/mode.ts';
import { issueToken, type OwnForms } from '../../http/pages/form.ts';
import { texts } from '../../base/texts.ts';
import type { Clock, Instant } from '../../base/time.ts';
import type { EmailOptions } from '../session/deps.ts';
import { findSession, isSecretOf } from '../session/load.ts';
import { errorRedirect } from '../session/redirects.ts';
import type { Session } from '../session/session.ts';
import { identityOf } from './forms.ts';
import { LEAVES_AFTER_SECONDS, leadsToShop } from './notify-opener.ts';
import { displayOf, policyHeaders, privateHeaders } from './headers.ts';
import { layout, type PageFrame } from './layout.ts';
import { LINK_KINDS, oneOf, type Providers, type View, type CheckoutUrls, createUrls } from './urls.ts';

/** The state of a request for a page: its checkout, and the secret of the session if it has an application. */
export interface PageState extends State {
  session?: Session | undefined;
  secret?: string | undefined;
}

export type PageContext = Context<PageState>;

/** A page without its frame. The heading defaults to the title. */
export type Page = Omit<PageFrame, 'heading' | 'stylesheet' | 'script' | 'now'> &
  Partial<Pick<PageFrame, 'heading'>> & {
    /** True if a form redirects to a page of another service. */
    redirectsOffSite?: boolean;
  };

/** A request with the parameters of its path. */
export type PathContext = PageContext & { params: Record<string, string> };

/**
 * Loads the session that one of the secrets opens, or else what the link shows. Stores it in the context, so that `pageErrors` can
 * redirect to it.
 */
export async function loadSession(
  ctx: PathContext,
  query: Query,
  now: Instant,
  ...secrets: readonly (string | undefined)[]
): Promise<Session | undefined> {
  const given = [...new Set(secrets.filter((secret) => secret !== undefined))];
  const session = await findSession(query, ctx.params['code'] ?? '', given, now);
  const hash = session?.application?.sessionHash;
  ctx.state.session = session;
  ctx.state.secret = hash === undefined ? undefined : given.find((secret) => isSecretOf(secret, hash));
  return session;
}

/** Returns the URLs for a request. The language is that of the URL, of the application, or the browser's preferred one. */
export function urlsOf(ctx: PageContext, signForm?: CheckoutUrls['signForm']): CheckoutUrls {
  const session = ctx.state.session;
  const [, kind, linkCode = ''] = ctx.path.split('/');
  const code = session?.cart.code ?? linkCode;
  const lang = oneOf(LANGUAGES, ctx.query['lang']) ?? session?.application?.language ?? preferredLanguage(ctx);
  const display = displayOf(ctx.query['display'], ctx.headers['sec-fetch-dest']);
  const isStaying = ctx.query['stay'] === '1';
  return createUrls({ code, secret: ctx.state.secret, lang, display, isStaying, signForm }, oneOf(LINK_KINDS, kind));
}

function preferredLanguage(ctx: PageContext): CheckoutUrls['lang'] {
  ctx.vary('accept-language');
  return oneOf(LANGUAGES, ctx.acceptsLanguages([...LANGUAGES])) ?? 'en';
}

export type ShowPage = (ctx: PageContext, status: number, page: (view: View) => Page) => void;

/** Sets private headers on every response, including redirects: a browser that caches them would loop when the buyer goes back. */
export const setPrivateHeaders: Middleware = (ctx, next) => {
  ctx.set(privateHeaders(displayOf(ctx.query['display'], ctx.headers['sec-fetch-dest'])));
  return next();
};

export interface PageDeps {
  stylesheet: StaticFile;
  script: StaticFile;
  forms: OwnForms;
  clock: Clock;
  mode: Mode;
  operator: Operator;
  providers: Providers;
}

/** Returns the function that responds with a checkout page. */
export function showPageWith({ stylesheet, script, forms, clock, mode, operator, providers }: PageDeps): ShowPage {
  return (ctx, status, pageIn) => {
    const cartId = ctx.state.session?.cart.id ?? '';
    const signForm = (path: string, renewsSecret: boolean) => {
      const nextSecret = renewsSecret ? newToken(16) : '';
      const identity = identityOf({ cartId, secret: ctx.state.secret, path, nextSecret });
      return { formToken: issueToken(forms.key, identity, clock.now()), nextSecret };
    };
    const urls = urlsOf(ctx, signForm);
    const view = { t: texts[urls.lang], urls, isSandbox: mode === 'sandbox', operator, providers };
    const page = pageIn(view);
    ctx.status = status;
    ctx.set('content-language', urls.lang);
    ctx.set(policyHeaders(page.session, urls.display, mode, page.redirectsOffSite));
    // In a frame or a popup it would show the shop there; the client script notifies the shop's page instead.
    if (leadsToShop(page, urls) && urls.display === 'page') {
      ctx.set('refresh', `${LEAVES_AFTER_SECONDS}; url=${errorRedirect(page.session)}`);
    }
    ctx.type = 'html';
    sendCompressed(
      ctx,
      renderHtml(
        layout({ heading: page.title, ...page, stylesheet: stylesheet.url, script: script.url, now: clock.now() }, view),
      ),
    );
  };
}

export function redirectToCurrentStep(ctx: PageContext): void {
  seeOther(ctx, urlsOf(ctx).to());
}

/**
 * Redirects a checkout that the buyer has left, or that cannot begin, to `errorUrl`.
 *
 * In a frame or a popup it shows a page instead, which notifies the shop's page (decisions/0034). A polling script also gets that page,
 * because it cannot follow redirects to other origins.
 */
export function leave(ctx: PageContext, session: Session, show: () => void): void {
  if (urlsOf(ctx).display !== 'page' || isByScript(ctx)) return show();
  seeOther(ctx, errorRedirect(session));
}

/**
 * Returns true if a completed checkout redirects the buyer to the shop. Without an e-mail sender the page with the link to their copy is
 * shown first, and in a frame or a popup that page notifies the shop's page.
 */
export function redirectsToShop(
  { handling }: Pick<EmailOptions, 'handling'>,
  { display }: Pick<CheckoutUrls, 'display'>,
): boolean {
  return handling !== 'unavailable' && display === 'page';
}

/** Returns true for requests of the script that polls on the waiting page. */
export function isByScript(ctx: PageContext): boolean {
  return ctx.get('x-requested-with') === 'fetch';
}

/** In the order of the cascade. */
const STYLES = [
  './styles/base.css',
  '../../http/pages/elements.css',
  '../../http/pages/chart.css',
  './styles/forms.css',
  './styles/content.css',
  './styles/media.css',
];

/** Returns the style sheet of the pages, one file. */
export function checkoutStyles(): StaticFile {
  const paths = STYLES.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return createStylesheet(paths, '/checkout/checkout.css');
}

/** Returns the client script, which enhances pages that work without it. */
export function checkoutScript(): StaticFile {
  return staticFile(fileURLToPath(new URL('./client/enhance.js', import.meta.url)), '/checkout');
}
