import type { KeyObject } from 'node:crypto';
import Router from '@koa/router';
import Koa from 'koa';
import compose from 'koa-compose';
import type { Logger } from 'pino';
import { applicationRoutes } from './applications/listing/routes.ts';
import { scopeOf } from './applications/listing/scope.ts';
import { asLowAsRoutes } from './as-low-as/routes.ts';
import { cartRoutes } from './carts/routes.ts';
import { documentRoutes } from './checkout/signing/routes.ts';
import type { CheckoutDeps } from './checkout/deps.ts';
import { keepPrivate, pageErrors, showPageWith } from './checkout/web/pages.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import { unknownLink } from './checkout/web/error-pages.ts';
import { errorLogFields } from './errors.ts';
import { formBody, jsonBody } from './http/body.ts';
import { bySegment } from './http/by-segment.ts';
import { healthRoutes } from './http/health.ts';
import { idempotency } from './http/idempotency.ts';
import { merchantAuth } from './http/merchant-auth.ts';
import { merchantErrors } from './http/merchant-errors.ts';
import { oauthErrors } from './http/oauth-errors.ts';
import { platformAuth } from './http/platform-auth.ts';
import { platformErrors } from './http/platform-errors.ts';
import { readQueriesInOnePass } from './http/query.ts';
import { limitByAddress, limitFailedLogins, type RateLimiters, takeTurns } from './http/rate-limit.ts';
import { requestLog } from './http/request-log.ts';
import { FOREVER_SECONDS, type StaticFile } from './http/static-files.ts';
import { requireSecureTransport, type TransportRules } from './http/transport.ts';
import type { TrustedIssuer } from './config/issuer.ts';
import type { Outlets } from './notifications/outbox.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { fragmentRoutes } from './storefront/fragment/routes.ts';
import { storefrontRoutes } from './storefront/routes.ts';
import type { Clock, MovableClock } from './time.ts';
import { createTokenIssuer } from './tokens/issue.ts';
import { trustedIssuers } from './tokens/issuers.ts';
import { oauthRoutes, tokenDocumentRoutes, tokenRoutes } from './tokens/routes.ts';
import { tokenVerification } from './tokens/verify.ts';
import type { Lifetimes } from './transactions/lifecycle.ts';
import { transactionRoutes } from './transactions/routes.ts';
import type { Release } from './widget-files/release.ts';
import { widgetFileRoutes } from './widget-files/routes.ts';

/** What the service is made of. */
export interface Parts {
  /** What checkouts are done with; the database among it is everybody's. */
  deps: CheckoutDeps;
  clock: MovableClock;
  /** Clock for tokens. They expire in real time, even if the sandbox's clock was moved. */
  realClock: Clock;
  log: Logger;
  /** Where buyers and pages reach the service, without a slash at the end. */
  publicUrl: string;
  stylesheet: StaticFile;
  /** What makes the pages of the checkout more comfortable. */
  script: StaticFile;
  /** What the forms of the checkout are sealed with. */
  formKey: KeyObject;
  /** What pages load. */
  widget: Release;
  /** What becomes of e-mails and texts. */
  outlets: Outlets;
  /** Says that a callback, a message or a card order may leave. */
  wakeDelivery: () => void;
  /** When transactions expire. */
  lifetimes: Lifetimes;
  /** How often clients may call. */
  limits: RateLimiters;
  /** A sandbox has paths of its own, below `/sandbox`. */
  transport: TransportRules;
  /** Who else may issue tokens for the platform API. */
  tokenIssuer?: TrustedIssuer | undefined;
}

/** The service on one page: who may call what, in the order a request meets it. */
export function createApp(parts: Parts): Koa {
  const { deps, clock, realClock, log, publicUrl, widget, outlets, wakeDelivery, lifetimes, transport } = parts;
  const { stylesheet, script, limits, tokenIssuer } = parts;
  const { database, cards } = deps;
  const { mode, trustProxy } = transport;
  const app = new Koa();
  readQueriesInOnePass(app);
  app.on('error', (thrown: unknown, ctx?: Koa.Context) => {
    log.error({ requestId: ctx?.response.get('x-request-id'), ...errorLogFields(thrown) });
  });
  app.use(requestLog(log));
  app.use((ctx, next) => {
    ctx.res.setHeader('x-content-type-options', 'nosniff');
    return next();
  });

  app.use(merchantErrors);
  app.use(bySegment({ api: [platformErrors], oauth: [oauthErrors] }));
  app.use(requireSecureTransport(transport));

  // Responds 405 to unsupported methods, and to OPTIONS with the methods of the path.
  const served = (...routers: Router[]) => routers.flatMap((router) => [router.middleware(), router.allowedMethods()]);

  const health = served(healthRoutes(database));
  const openApi = served(openApiRoutes({ mode, publicUrl }));
  const limitLogins = limitFailedLogins(limits.failedLoginsPerAddress, trustProxy);
  const limitPages = limitByAddress(limits.pagesPerAddress, trustProxy);
  const takeTurn = takeTurns();
  const authenticate = compose([limitLogins, merchantAuth(database)]);

  const storefront = storefrontRoutes({ database, clock, realClock, publicUrl, limits, mode, trustProxy, takeTurn });
  const fragments = fragmentRoutes({ database, clock, publicUrl, widget, limits, mode, trustProxy, authenticate });
  const widgetFiles = widgetFileRoutes(database, widget, publicUrl);
  const assets = new Router();
  for (const file of [stylesheet, script]) {
    assets.get(file.path, (ctx) => {
      ctx.set('cross-origin-resource-policy', 'same-origin');
      file.send(ctx, FOREVER_SECONDS);
    });
  }

  const forms = { key: parts.formKey, ownOrigin: new URL(publicUrl).origin };
  const showPage = showPageWith({ stylesheet, script, forms, clock, mode });
  const checkout = checkoutRoutes({ deps, clock, forms, showPage });
  const documents = documentRoutes(database, showPage);
  const noSuchPage: Koa.Middleware = (ctx) => showPage(ctx, 404, unknownLink);

  const issue = createTokenIssuer(database, realClock, publicUrl);
  const tokens = tokenRoutes(database, issue);
  const tokenDocuments = tokenDocumentRoutes(database, publicUrl);
  const oauth = oauthRoutes(database, issue);
  const onFailure = (failure: string) => log.warn({ at: 'issuer', failure });
  const issuers = trustedIssuers({ database, clock: realClock, publicUrl, trusted: tokenIssuer, onFailure });
  const applications = applicationRoutes(database, publicUrl, platformAuth(tokenVerification(issuers, realClock, scopeOf)));

  const byKeyPair = [authenticate, jsonBody(), idempotency(database, realClock)];
  const ofMerchants = (router: Router) => [...byKeyPair, ...served(router)];

  app.use(
    bySegment({
      // Anyone.
      '': openApi,
      healthz: health,
      readyz: health,
      'openapi.json': openApi,
      docs: openApi,
      checkout: served(assets),
      storefront: served(storefront),
      widget: served(fragments, widgetFiles),

      // Buyers, by the link of a cart.
      c: [
        keepPrivate,
        pageErrors(showPage),
        limitPages,
        formBody(),
        takeTurn,
        ...checkout.map((router) => router.middleware()),
        noSuchPage,
      ],
      // A buyer, by the link of what they signed.
      a: [keepPrivate, pageErrors(showPage), limitPages, takeTurn, documents.middleware(), noSuchPage],

      // Platforms, by bearer token, which they obtain with a key pair.
      '.well-known': served(tokenDocuments),
      oauth: [limitLogins, ...served(oauth)],
      api: [limitLogins, ...tokens, ...served(applications)],

      // Merchants, by key pair.
      transactions: ofMerchants(transactionRoutes({ database, clock, lifetimes, cards, onActed: wakeDelivery })),
      carts: ofMerchants(cartRoutes({ database, clock, publicUrl, outlets, onShared: wakeDelivery })),
      aslowas: ofMerchants(asLowAsRoutes(database, clock)),
      ...(mode === 'sandbox' && { sandbox: ofMerchants(sandboxRoutes(deps, clock)) }),
    }),
  );

  return app;
}
