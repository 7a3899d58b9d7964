import { propertyOf } from '../shared/objects.ts';
import type { KeyObject } from 'node:crypto';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { applicationRoutes } from './platform/listing/routes.ts';
import { bearerOf } from './platform/listing/scope.ts';
import { asLowAsRoutes } from './purchases/as-low-as/routes.ts';
import { cartRoutes } from './purchases/carts/routes.ts';
import type { PdfRenderer } from './agreements/pdf-renderer.ts';
import { documentRoutes } from './agreements/routes.ts';
import type { CheckoutDeps } from './checkout/session/deps.ts';
import { setPrivateHeaders, showPageWith } from './checkout/web/pages.ts';
import { providersOf } from './checkout/web/recipients.ts';
import { pageErrors } from './checkout/web/error-pages.ts';
import { type LenderRouteDeps, lenderRoutes } from './checkout/routes/lender.ts';
import { checkoutExpiryRoutes } from './checkout/routes/merchant.ts';
import { linkRoutes } from './checkout/routes/link.ts';
import { noticeRoutes } from './checkout/routes/notice.ts';
import { sessionRoutes } from './checkout/routes/session.ts';
import { unknownLinkPage } from './http/pages/page.ts';
import type { WriteBuffer } from './db/write-buffer.ts';
import { codeOf, errorLogFields } from './base/errors.ts';
import { formBody, jsonBody, useLinearQueryParser } from './http/body.ts';
import { compressLists } from './http/compress-lists.ts';
import type { Context, Middleware, State } from './http/context.ts';
import { healthRoutes } from './http/health.ts';
import { idempotency } from './merchants/idempotency/middleware.ts';
import { merchantAuth } from './merchants/access/merchant-auth.ts';
import { merchantErrors, oauthErrors, platformErrors, requireKnownVersion } from './http/errors.ts';
import { platformAuth } from './platform/tokens/platform-auth.ts';
import { limitByAddress, limitFailedLogins, type RateLimiters, setClientAddress, truncatedNetwork } from './http/rate-limit.ts';
import { recordRequests } from './merchants/access/record-requests.ts';
import { type AnonymousRequests, requestLog } from './http/request-log.ts';
import { NO_CONTENT_POLICY } from './http/server.ts';
import { FOREVER_SECONDS, type StaticFile } from './http/static-files.ts';
import { startInTurns } from './http/turns.ts';
import { requireSecureTransport, type TransportRules } from './http/transport.ts';
import type { MerchantRequest } from './merchants/requests/store.ts';
import { brandRoutes } from './merchants/routes.ts';
import type { ConsoleLimits, MessageLimits } from './base/config/config.ts';
import { consoleRoutes } from './console/routes.ts';
import type { TrustedIssuer } from './base/config/issuer.ts';
import type { Operator } from './base/config/operator.ts';
import type { CallbackRules } from './messages/callback-address.ts';
import type { HandlingByChannel } from './messages/outbox.ts';
import { openApiRoutes } from './http/openapi/routes.ts';
import { standardProgram } from './lending/programs/standard-program.ts';
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
import { eventRoutes, webhookRoutes } from './messages/webhooks/routes.ts';
import { widgetFileRoutes } from './operations/widget-files/routes.ts';

export interface AppDeps {
  /** Dependencies of the checkout. All routes use its database. */
  deps: CheckoutDeps;
  /** The company that runs the service. */
  operator: Operator;
  clock: MovableClock;
  /** Clock for tokens. They expire in real time, even if the sandbox's clock was moved. */
  realClock: Clock;
  log: Logger;
  /** Logs requests without a caller. */
  anonymousRequests: AnonymousRequests;
  /** Requests of merchants' keys that are not stored yet. */
  merchantRequests: WriteBuffer<MerchantRequest>;
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string;
  stylesheet: StaticFile;
  /** Progressive enhancement of the checkout pages. */
  script: StaticFile;
  /** Key of the form tokens. */
  formKey: KeyObject;
  pdfs: PdfRenderer;
  widget: Release;
  /** The handling of e-mails and texts: sent or only recorded. */
  messageHandlings: HandlingByChannel;
  transactions: Transactions;
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
  /** The secrets and calls of a lender with an endpoint, which may send decisions. */
  remoteLender?: Pick<LenderRouteDeps, 'secrets' | 'onCall'> | undefined;
}

/** Creates the application: middleware and routes in the order in which they process a request, with who may call them. */
export function createApp(appDeps: AppDeps): Koa {
  const { deps, clock, realClock, log, anonymousRequests, publicUrl, widget, messageHandlings, transactions, transport } =
    appDeps;
  const { stylesheet, script, limits, messageLimits, callbacks, failedLogins, tokenIssuer } = appDeps;
  const { database, wakeDelivery } = deps;
  const { mode, trustProxy } = transport;
  const app = new Koa<State>();
  useLinearQueryParser(app);
  app.on('error', (thrown: unknown, ctx?: Context) => {
    if (isLostConnection(thrown)) return;
    log.error({ requestId: ctx?.response.get('x-request-id'), ...errorLogFields(thrown) });
  });
  app.use(startInTurns());
  app.use(setClientAddress(trustProxy));
  app.use(requestLog(log, anonymousRequests));
  app.use(recordRequests(database, appDeps.merchantRequests, limits.recordedRequests));
  app.use((ctx, next) => {
    ctx.res.setHeader('x-content-type-options', 'nosniff');
    // Pages set another value.
    ctx.res.setHeader('content-security-policy', NO_CONTENT_POLICY);
    // Most responses contain personal data or credentials. Routes of public files set another value.
    ctx.res.setHeader('cache-control', 'no-store');
    return next();
  });

  app.use(merchantErrors);
  app.use(under('/api', platformErrors));
  app.use(under('/oauth', oauthErrors));
  app.use(requireSecureTransport(transport));
  app.use(compressLists());

  // Responds 405 to unsupported methods, and to OPTIONS with the methods of the path.
  const served = (...routers: Router<State>[]) => routers.flatMap((router) => [router.middleware(), router.allowedMethods()]);

  const health = served(healthRoutes(database));
  const limitLogins = (kind: FailedLoginKind) =>
    limitFailedLogins(limits.failedLoginsPerAddress, ({ code }, network) =>
      failedLogins.add(code === 'unauthenticated' ? kind : 'bearer-token-rejected', network, realClock.now()),
    );
  const limitTokenRequests = limitLogins('token-request-failed');
  const limitPages = limitByAddress(limits.pagesPerAddress);
  const openApi = served(openApiRoutes({ mode, publicUrl }, standardProgram));
  const authenticate = inOrder(limitLogins('merchant-login-failed'), merchantAuth(database));

  const storefront = storefrontRoutes({ database, clock, realClock, publicUrl, limits, callbacks, mode });
  const widgetFiles = widgetFileRoutes(database, widget, publicUrl);
  const assets = new Router<State>();
  for (const file of [stylesheet, script]) {
    assets.get(file.path, (ctx) => {
      ctx.set('cross-origin-resource-policy', 'same-origin');
      file.send(ctx, FOREVER_SECONDS);
    });
  }

  const forms = { key: appDeps.formKey, ownOrigin: new URL(publicUrl).origin };
  const providers = providersOf(deps);
  const showPage = showPageWith({ stylesheet, script, forms, clock, mode, operator: appDeps.operator, providers });
  const routeDeps = { deps, clock, forms, showPage, transactions };
  const checkout = [linkRoutes(routeDeps), sessionRoutes(routeDeps)];
  const documents = documentRoutes({
    database,
    clock,
    showPage,
    pdfs: appDeps.pdfs,
    documentLinkDays: deps.mail.documentLinkDays,
    transactions,
    limits,
    documentProofs: deps.attemptLimits?.documentProofs ?? 0,
    onFailedProof: (networks) => failedLogins.add('document-proof-failed', truncatedNetwork(networks), realClock.now()),
  });
  const notices = noticeRoutes(routeDeps);
  const noSuchPage: Middleware = (ctx) => showPage(ctx, 404, unknownLinkPage);

  const issue = createTokenIssuer(database, realClock, publicUrl);
  const tokens = tokenRoutes(database, issue);
  const tokenDocuments = tokenDocumentRoutes(database, publicUrl);
  const oauth = oauthRoutes(database, issue);
  const onFailure = (failure: string) => log.warn({ at: 'issuer', failure });
  const issuers = trustedIssuers({ database, clock: realClock, publicUrl, trusted: tokenIssuer, onFailure });
  const applications = applicationRoutes(
    database,
    clock,
    publicUrl,
    platformAuth(tokenVerification(issuers, realClock, bearerOf)),
  );

  // Anyone.
  app.use(under('/', ...openApi));
  app.use(under('/openapi.json', ...openApi));
  app.use(under('/program.schema.json', ...openApi));
  app.use(under('/docs', ...openApi));
  app.use(under('/healthz', ...health));
  app.use(under('/readyz', ...health));
  app.use(under('/checkout', ...served(assets)));
  app.use(under('/brand', ...served(brandRoutes(database))));
  app.use(under('/storefront', ...served(storefront)));
  app.use(under('/widget', ...served(widgetFiles)));

  // Buyers, with the link of a cart.
  const pages = [setPrivateHeaders, pageErrors(showPage), limitPages];
  app.use(under('/c', ...pages, formBody(), ...checkout.map((router) => router.middleware()), noSuchPage));
  // Buyers, with the link of a signed agreement.
  app.use(under('/a', ...pages, formBody(), documents.middleware(), noSuchPage));
  // Buyers, with the link of a notice, and a code.
  app.use(under('/n', ...pages, formBody(), notices.middleware(), noSuchPage));

  // The people of merchants, with a cookie.
  const people = consoleRoutes({
    deps: {
      database,
      clock,
      realClock,
      mode,
      publicUrl,
      operator: appDeps.operator,
      transactions,
      mail: deps.mail,
      messageHandlings,
      messageLimits,
      callbacks,
      passkeySite: { origin: forms.ownOrigin, key: forms.key, name: `Fairterm ${new URL(publicUrl).hostname}` },
      wakeDelivery,
    },
    forms,
    limits: appDeps.consoleLimits,
    pageLimit: limits.consolePages,
    exportLimit: limits.exportsPerTenant,
    failedLogins,
  });
  app.use(under('/console', ...people));

  // Platforms, with a bearer token, which they obtain with a key pair.
  app.use(under('/.well-known', ...served(tokenDocuments)));
  app.use(under('/oauth', limitTokenRequests, ...served(oauth)));
  app.use(under('/api', limitTokenRequests, ...tokens, ...served(applications)));

  // Merchants, with a key pair.
  const byKeyPair = [authenticate, requireKnownVersion, jsonBody(), idempotency(realClock)];
  const carts = cartRoutes({
    database,
    clock,
    publicUrl,
    operator: appDeps.operator,
    messageHandlings,
    limits: messageLimits,
    callbacks,
    wakeDelivery,
  });
  app.use(
    under(
      '/transactions',
      ...byKeyPair,
      ...served(transactionRoutes({ database, transactions, clock, publicUrl, wakeDelivery })),
    ),
  );
  app.use(under('/carts', ...byKeyPair, ...served(carts, checkoutExpiryRoutes(deps, clock))));
  app.use(under('/events', ...byKeyPair, ...served(eventRoutes(database, publicUrl))));
  const webhooks = webhookRoutes({ database, realClock, publicUrl, callbacks, wakeDelivery });
  app.use(under('/webhooks', ...byKeyPair, ...served(webhooks)));
  app.use(under('/settlements', ...byKeyPair, ...served(settlementRoutes(database, publicUrl))));
  app.use(under('/aslowas', ...byKeyPair, ...served(asLowAsRoutes(database, clock))));
  if (mode === 'sandbox') app.use(under('/sandbox', ...byKeyPair, ...served(sandboxRoutes(deps, clock))));

  // The lender, with its signature. Requests that fail are limited.
  if (appDeps.remoteLender) {
    const limitPushes = limitFailedLogins(limits.failedLoginsPerAddress, () => undefined);
    app.use(under('/lender', limitPushes, ...served(lenderRoutes({ deps, clock, realClock, ...appDeps.remoteLender }))));
  }

  return app;
}

/** Returns true if the client closed the connection while the response was sent, which Koa reports as an error. */
function isLostConnection(thrown: unknown): boolean {
  return propertyOf(thrown, 'headerSent') === true && ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(thrown));
}

/** Middleware of Koa and of its router, which differ in the type of the context. */
type AnyMiddleware = (ctx: never, next: Koa.Next) => unknown;

/**
 * Runs middleware only for this path and all paths below it. Unlike a route, it also runs for unknown paths, so that requests to
 * them are authenticated.
 */
function under(path: string, ...middleware: AnyMiddleware[]): Middleware {
  const handle = inOrder(...middleware);
  return (ctx, next) => (ctx.path === path || ctx.path.startsWith(`${path}/`) ? handle(ctx, next) : next());
}

/** Returns one middleware that runs several, each of which calls the next. */
function inOrder(...middleware: AnyMiddleware[]): Middleware {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- middleware of the router runs with the same context
  return (middleware as Middleware[]).reduceRight((rest, each) => async (ctx, next) => {
    await each(ctx, async () => rest(ctx, next));
  });
}
