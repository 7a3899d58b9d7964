import koaCompress from 'koa-compress';
import { propertyOf } from '../shared/objects.ts';
import type { KeyObject } from 'node:crypto';
import type Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { applicationRoutes } from './platform/listing/routes.ts';
import { bearerOf } from './platform/listing/scope.ts';
import { asLowAsRoutes } from './purchases/as-low-as/routes.ts';
import { cartRoutes } from './purchases/carts/routes.ts';
import { optOutRoutes } from './purchases/carts/opt-out/routes.ts';
import type { PdfRenderer } from './agreements/pdf-renderer.ts';
import { documentRoutes } from './agreements/routes.ts';
import type { CheckoutDeps } from './checkout/session/deps.ts';
import { setPrivateHeaders, showPageWith } from './checkout/web/pages.ts';
import { providersOf } from './checkout/web/recipients.ts';
import { pageErrors } from './checkout/web/error-pages.ts';
import { consentRoutes } from './checkout/routes/consent.ts';
import { type LenderRouteDeps, lenderRoutes } from './checkout/routes/lender.ts';
import { linkRoutes } from './checkout/routes/link.ts';
import { linkExpiryRoutes } from './checkout/routes/merchant.ts';
import { noticeRoutes } from './checkout/routes/notice.ts';
import { sessionRoutes } from './checkout/routes/session.ts';
import { unknownLinkPage } from './http/pages/page.ts';
import type { WriteBuffer } from './db/write-buffer.ts';
import { codeOf, errorLogFields, isUnavailable } from './base/errors.ts';
import { formBody, jsonBody, useLinearQueryParser } from './http/body.ts';
import type { Context, Middleware, State } from './http/context.ts';
import { healthRoutes } from './http/health.ts';
import { idempotency } from './merchants/idempotency/middleware.ts';
import { merchantAuth } from './merchants/access/merchant-auth.ts';
import { merchantErrors, oauthErrors, platformErrors, requireKnownVersion } from './http/errors.ts';
import { limitByAddress, limitFailedLogins, type RateLimiters, setClientAddress } from './http/rate-limit.ts';
import { recordRequests } from './merchants/access/record-requests.ts';
import type { MerchantRequest } from './merchants/requests/store.ts';
import { type AnonymousRequests, type ObserveRequest, requestLog } from './http/request-log.ts';
import { NO_CONTENT_POLICY } from './http/server.ts';
import { chartScript } from './http/pages/chart.ts';
import { ownFileRoutes, type StaticFile } from './http/static-files.ts';
import { startInTurns } from './http/turns.ts';
import { requireSecureTransport, type TransportRules } from './http/transport.ts';
import { brandRoutes } from './merchants/routes.ts';
import type { ConsoleLimits, MessageLimits } from './base/config/config.ts';
import { consoleRoutes } from './console/routes.ts';
import type { TrustedIssuer } from './base/config/issuer.ts';
import type { MailReports } from './base/config/mail-reports.ts';
import type { CallbackRules } from './messages/callback-address.ts';
import { mailReportRoutes } from './messages/mail-reports/routes.ts';
import { openApiRoutes } from './http/openapi/routes.ts';
import { standardProgram } from './lending/programs/standard-program.ts';
import { type MetricsDeps, metricsRoutes } from './operations/metrics/routes.ts';
import { sandboxRoutes } from './operations/sandbox/routes.ts';
import { settlementRoutes } from './purchases/settlements/routes.ts';
import type { FailedLoginKind, FailedLogins } from './merchants/failed-logins.ts';
import { storefrontRoutes } from './purchases/carts/storefront/routes.ts';
import type { Clock, MovableClock } from './base/time.ts';
import { createTokenIssuer } from './platform/tokens/issue.ts';
import { trustedIssuers } from './platform/tokens/issuers.ts';
import { oauthRoutes, tokenDocumentRoutes, tokenRoutes } from './platform/tokens/routes.ts';
import { tokenVerification } from './platform/tokens/verify.ts';
import { transactionRoutes } from './purchases/transactions/routes.ts';
import type { Transactions } from './purchases/transactions/transactions.ts';
import type { Release } from './operations/widget-files/release.ts';
import { eventRoutes, webhookDeliveryRoutes, webhookRoutes } from './messages/webhooks/routes.ts';
import { widgetFileRoutes } from './operations/widget-files/routes.ts';

export interface AppDeps {
  /** Dependencies of the checkout. All routes use its database. */
  deps: CheckoutDeps;
  transactions: Transactions;
  clock: MovableClock;
  /** Clock for tokens. They expire in real time, even if the sandbox's clock was moved. */
  realClock: Clock;
  log: Logger;
  /** Logs requests without a caller. */
  anonymousRequests: AnonymousRequests;
  /** Called with each request when it ends, and with each unexpected error of a request. */
  observeRequest: ObserveRequest;
  onFault(): void;
  /** Requests of merchants' keys that are not stored yet. */
  merchantRequests: WriteBuffer<MerchantRequest>;
  stylesheet: StaticFile;
  /** Progressive enhancement of the checkout pages. */
  script: StaticFile;
  /** Key of the form tokens. */
  serviceKey: KeyObject;
  pdfs: PdfRenderer;
  widget: Release;
  limits: RateLimiters;
  messageLimits: MessageLimits;
  /** Limits of sessions and of sign-ins. */
  consoleLimits: ConsoleLimits;
  failedLogins: FailedLogins;
  transport: TransportRules;
  /** The addresses that callbacks may be sent to. */
  callbacks: CallbackRules;
  /** Another issuer of tokens for the platform API. */
  tokenIssuer?: TrustedIssuer | undefined;
  /** The mail provider that may report bounces. */
  mailReports?: MailReports | undefined;
  /** The secrets and calls of a lender with an endpoint, which may send decisions. */
  remoteLender?: Pick<LenderRouteDeps, 'secrets' | 'onCall'> | undefined;
}

/** Creates the application: middleware and routes in the order in which they process a request, with who may call them. */
export function createApp(appDeps: AppDeps): Koa {
  const { deps, clock, realClock, log, limits, failedLogins, transport, remoteLender, mailReports } = appDeps;
  const { database } = deps;
  const { mode, trustProxy } = transport;
  const { publicUrl, operator } = deps.mail;
  const forms = { key: appDeps.serviceKey, ownOrigin: new URL(publicUrl).origin };
  const showPage = showPageWith({ ...appDeps, forms, mode, operator, providers: providersOf(deps) });
  const passkeySite = { origin: forms.ownOrigin, key: forms.key, name: `Fairterm ${new URL(publicUrl).hostname}` };
  /** Each feature takes what it needs. */
  const all = { ...appDeps, ...deps, mode, publicUrl, forms, showPage, passkeySite };

  const issueToken = createTokenIssuer(database, realClock, publicUrl);
  const onFailure = (failure: string) => log.warn({ at: 'issuer', failure });
  const issuers = trustedIssuers({ database, clock: realClock, publicUrl, trusted: appDeps.tokenIssuer, onFailure });
  // `unauthenticated` is the error of a key pair. Any other rejection is that of a bearer token.
  const limitLogins = (kind: FailedLoginKind) =>
    limitFailedLogins(limits.failedLoginsPerAddress, ({ code }, network) =>
      failedLogins.add(code === 'unauthenticated' ? kind : 'bearer-token-rejected', network, realClock.now()),
    );

  // Buyers, with a link: of a cart, of a signed agreement, of an opt-out, or of a notice, and a code.
  const pages = [setPrivateHeaders, pageErrors(showPage, forms.ownOrigin), limitByAddress(limits.pagesPerAddress), formBody()];
  const noSuchPage: Middleware = (ctx) => showPage(ctx, 404, unknownLinkPage);
  const buyer = (path: string, ...routers: Router<State>[]) =>
    under(path, ...pages, ...routers.map((router) => router.middleware()), noSuchPage);
  // The people of merchants, with a cookie.
  const people = consoleRoutes({
    deps: all,
    forms,
    limits: appDeps.consoleLimits,
    pageLimit: limits.consolePages,
    exportLimit: limits.exportsPerTenant,
    failedLogins,
  });
  // Platforms, with a bearer token, which they obtain with a key pair.
  const limitTokens = limitLogins('token-request-failed');
  const verifyBearer = tokenVerification(issuers, realClock, bearerOf);
  // Merchants, with a key pair. It is checked before the body is read.
  const authenticate = inOrder(limitLogins('merchant-login-failed'), merchantAuth(database));
  const byKeyPair = [authenticate, requireKnownVersion, jsonBody(), idempotency(realClock)];
  const merchant = (path: string, ...routers: Router<State>[]) => under(path, ...byKeyPair, ...served(...routers));
  // The lender and the mail provider, with their signatures. Requests that fail are limited, but not recorded as failed logins.
  const limitPushes = limitFailedLogins(limits.failedLoginsPerAddress, () => undefined);

  const middleware = [
    // So that many requests at once do not delay timers and results of the database.
    startInTurns(),
    setClientAddress(trustProxy),
    requestLog(log, appDeps.anonymousRequests, appDeps.observeRequest),
    recordRequests(database, appDeps.merchantRequests, limits.recordedRequests),
    setDefaults(publicUrl),
    // For all other paths, including unknown ones.
    merchantErrors,
    under('/api', platformErrors),
    under('/oauth', oauthErrors),
    requireSecureTransport(transport),
    compressLists(),

    // Anyone.
    under(
      ['/', '/openapi.json', '/program.schema.json', '/docs'],
      ...served(openApiRoutes({ mode, publicUrl }, standardProgram)),
    ),
    under(['/healthz', '/readyz'], ...served(healthRoutes(database))),
    under('/checkout', ...served(ownFileRoutes(appDeps.stylesheet, appDeps.script, chartScript))),
    under('/brand', ...served(brandRoutes(database))),
    under('/storefront', ...served(storefrontRoutes(all))),
    under('/widget', ...served(widgetFileRoutes(database, appDeps.widget, publicUrl))),

    buyer('/c', linkRoutes(all), sessionRoutes(all)),
    buyer('/a', documentRoutes(all), consentRoutes(all)),
    buyer('/n', noticeRoutes(all)),
    buyer('/u', optOutRoutes(all)),

    under('/console', ...people),

    under('/.well-known', ...served(tokenDocumentRoutes(database, publicUrl))),
    under('/oauth', limitTokens, ...served(oauthRoutes(database, issueToken))),
    under('/api', limitTokens, ...tokenRoutes(database, issueToken), ...served(applicationRoutes(database, clock, verifyBearer))),

    merchant('/transactions', transactionRoutes(all)),
    merchant('/carts', cartRoutes(all), linkExpiryRoutes(deps, clock)),
    merchant('/events', eventRoutes(database)),
    merchant('/webhooks', webhookRoutes(all), webhookDeliveryRoutes(all)),
    merchant('/settlements', settlementRoutes(database)),
    merchant('/aslowas', asLowAsRoutes(database, clock)),
    ...(mode === 'sandbox' ? [merchant('/sandbox', sandboxRoutes(deps, clock))] : []),

    ...(mailReports ? [under('/mail-reports', limitPushes, ...served(mailReportRoutes({ ...all, mailReports })))] : []),
    ...(remoteLender ? [under('/lender', limitPushes, ...served(lenderRoutes({ ...all, ...remoteLender })))] : []),
  ];

  const app = new Koa<State>();
  useLinearQueryParser(app);
  app.on('error', (thrown: unknown, ctx?: Context) => {
    // The database reports that it is unavailable.
    if (isLostConnection(thrown) || isUnavailable(thrown)) return;
    appDeps.onFault();
    log.error({ requestId: ctx?.response.get('x-request-id'), ...errorLogFields(thrown) });
  });
  for (const each of middleware) app.use(each);
  return app;
}

/** Creates the application of the port for operators, which has no sign-in: metrics and the status of the service. */
export function createMetricsApp(deps: MetricsDeps): Koa {
  const app = new Koa<State>();
  app.use(metricsRoutes(deps).middleware());
  return app;
}

/** Sets the headers of most responses, and what lists link to. */
function setDefaults(publicUrl: string): Middleware {
  return (ctx, next) => {
    ctx.state.publicUrl = publicUrl;
    ctx.res.setHeader('x-content-type-options', 'nosniff');
    // Pages set another value.
    ctx.res.setHeader('content-security-policy', NO_CONTENT_POLICY);
    // Most responses contain personal data or credentials. Routes of public files set another value.
    ctx.res.setHeader('cache-control', 'no-store');
    return next();
  };
}

/** Returns the middleware of routers, which respond 405 to unsupported methods, and to OPTIONS with the methods of the path. */
function served(...routers: Router<State>[]): AnyMiddleware[] {
  return routers.flatMap((router) => [router.middleware(), router.allowedMethods()]);
}

/** Returns true if the client closed the connection while the response was sent, which Koa reports as an error. */
function isLostConnection(thrown: unknown): boolean {
  return propertyOf(thrown, 'headerSent') === true && ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(thrown));
}

/** Middleware of Koa and of its router, which differ in the type of the context. The router calls `then` on what the next one returns. */
type AnyMiddleware = (ctx: never, next: Koa.Next) => Promise<unknown>;

/**
 * Runs middleware only for these paths and all paths below them. Unlike a route, it also runs for unknown paths, so that requests to
 * them are authenticated.
 */
function under(paths: string | readonly string[], ...middleware: AnyMiddleware[]): Middleware {
  const handle = inOrder(...middleware);
  const all = [paths].flat();
  const isBelow = (path: string) => all.some((each) => path === each || path.startsWith(`${each}/`));
  return (ctx, next) => (isBelow(ctx.path) ? handle(ctx, next) : next());
}

/** Returns one middleware that runs several, each of which calls the next. */
function inOrder(...middleware: AnyMiddleware[]): Middleware {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- middleware of the router runs with the same context
  return (middleware as Middleware[]).reduceRight((rest, each) => (ctx, next) => each(ctx, () => rest(ctx, next)));
}

/** Lists of the merchant API and the platform API, which have no secrets. Nothing else may be added (decisions/0065). */
const LISTS = /^\/(transactions|carts|events|settlements|api\/application)\/?$/;

/**
 * Compresses JSON lists from 1 KiB with gzip, or Brotli at quality 4, if the client supports it and is no page. Mount it outside of
 * `idempotency`, which stores bodies.
 */
function compressLists(): Middleware {
  const compress = koaCompress({ zstd: false, deflate: false });
  return (ctx, next) => {
    const isList = ctx.method === 'GET' && LISTS.test(ctx.path);
    // Only browsers send `Sec-Fetch-Site`. Without `Accept-Encoding`, koa-compress would serialize the list twice for nothing.
    const isSupported = ctx.get('accept-encoding') !== '' && ctx.get('sec-fetch-site') === '';
    return isList && isSupported ? compress(ctx, next) : next();
  };
}
