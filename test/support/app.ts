/** Starts only the Koa app, without background jobs. Tests can replace its dependencies. */
import { createApp, type AppDeps } from '../../server/app.ts';
import { sandboxGateway } from '../../server/purchases/cards/sandbox-gateway.ts';
import type { Operator } from '../../server/base/config/operator.ts';
import type { HandlingByChannel } from '../../server/messages/outbox.ts';
import type { CheckoutDeps } from '../../server/checkout/session/deps.ts';
import { readConfig } from '../../server/base/config/config.ts';
import { getServiceKey } from '../../server/checkout/session/store.ts';
import { codeKeyOf } from '../../server/checkout/signing/one-time-code.ts';
import { createPdfRenderer } from '../../server/agreements/pdf-renderer.ts';
import { checkoutScript, checkoutStyles } from '../../server/checkout/web/pages.ts';
import type { Database } from '../../server/db/database.ts';
import { WriteBuffer } from '../../server/db/write-buffer.ts';
import { FailedLogins } from '../../server/merchants/failed-logins.ts';
import { rateLimiters } from '../../server/http/rate-limit.ts';
import { AnonymousRequests } from '../../server/http/request-log.ts';
import { sandboxLender } from '../../server/lending/lenders/sandbox-lender.ts';
import { saveRequests } from '../../server/merchants/requests/store.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { noticeKeyOf } from '../../server/messages/notices.ts';
import { movableClock, systemClock } from '../../server/base/time.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { onCleanup } from './cleanup.ts';
import { enableConformanceChecks } from './conformance.ts';
import { chair, testOperator } from './checkout.ts';
import { listen } from './http.ts';
import { respondingLender } from './lenders.ts';
import { type ApiResponse, captureLog, fetchResponse, noLimits, type TestService } from './service.ts';
import { identityOf } from '../../server/checkout/web/forms.ts';
import { issueToken } from '../../server/http/pages/form.ts';
import { newToken } from '../../server/base/ids.ts';
import { transactionsWith } from './purchases.ts';

export interface TestApp {
  /** Everything that was logged. */
  logged: string[];
  publicUrl: string;
  /** The merchant of the carts. */
  merchantId: string;
  apiKey: string;
  /** The Authorization header of that merchant. */
  authorization: string;
  /** Creates a cart of one chair. */
  createCart(options?: Partial<CartOptions>): Promise<{ id: string; url: string }>;
  /** Sends a POST request with the merchant's key. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
}

/**
 * Starts the app on a real socket, without jobs: no callback is sent unless the test sends it. `overrides` replaces dependencies, and
 * the default program of the merchant.
 */
export async function startApp(
  database: Database,
  overrides: Partial<
    { messageHandlings: HandlingByChannel; operator: Operator; program: Program } & Pick<
      CheckoutDeps,
      'lender' | 'cards' | 'wakeDelivery'
    > &
      Pick<
        AppDeps,
        'limits' | 'messageLimits' | 'transport' | 'failedLogins' | 'merchantRequests' | 'clock' | 'realClock' | 'consoleLimits'
      >
  >,
): Promise<TestApp> {
  const {
    messageHandlings = { email: 'recorded', text: 'recorded' },
    operator = testOperator,
    program,
    lender,
    cards,
    wakeDelivery,
    clock,
    ...appOverrides
  } = {
    clock: movableClock(),
    lender: sandboxLender(),
    cards: sandboxGateway,
    wakeDelivery: () => undefined,
    ...overrides,
  };
  const { log, logged } = captureLog();
  const { server, port, stop } = await listen();
  onCleanup(stop);
  const publicUrl = `http://localhost:${port}`;
  const serviceKey = await getServiceKey(database.query);
  const mail = {
    publicUrl,
    handling: messageHandlings.email,
    textHandling: messageHandlings.text,
    mode: appOverrides.transport?.mode ?? 'sandbox',
    documentLinkDays: 90,
    operator,
    noticeKey: noticeKeyOf(serviceKey),
  } as const;
  const approvals = { approvalDays: 7, extensionDays: 7 };
  const codeKey = codeKeyOf(serviceKey);
  const pdfs = createPdfRenderer();
  onCleanup(() => pdfs.close());
  const handle = createApp({
    deps: {
      database,
      lender: respondingLender(lender),
      cards,
      approvals,
      mail,
      codeKey,
      onException: () => undefined,
      wakeDelivery,
    },
    clock,
    realClock: systemClock,
    log,
    anonymousRequests: new AnonymousRequests(log),
    observeRequest: () => undefined,
    onFault: () => undefined,
    merchantRequests: new WriteBuffer(saveRequests),
    stylesheet: checkoutStyles(),
    script: checkoutScript(),
    serviceKey,
    pdfs,
    widget: { version: '0', files: [] },
    transactions: transactionsWith({ cards, mail }),
    limits: rateLimiters(noLimits, () => 0),
    messageLimits: readConfig({}).messageLimits,
    consoleLimits: readConfig({}).console,
    failedLogins: new FailedLogins(),
    transport: { mode: 'sandbox', trustProxy: false },
    callbacks: { mode: 'sandbox', allowLoopback: true, allowedHosts: [] },
    ...appOverrides,
  }).callback();
  server.on('request', (request, response) => void handle(request, response));
  enableConformanceChecks(publicUrl, 'sandbox');

  const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [], ...(program && { program }) };
  const { merchantId, apiKey, secret } = await createMerchant(database, 'sandbox', merchant, clock.now());
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  const post: TestApp['post'] = (path, body, headers = {}) =>
    fetchResponse(publicUrl + path, { method: 'POST', headers: { authorization, ...headers }, body: JSON.stringify(body) });
  return {
    logged,
    publicUrl,
    merchantId,
    apiKey,
    authorization,
    post,
    createCart: async (options = {}) => {
      const response = await post('/carts', { options: { items: [chair], ...options } });
      if (response.status !== 200) throw new Error(`The cart was rejected: ${response.text}`);
      return response.body;
    },
  };
}

/** Returns the hidden fields of the form at a path of the checkout, so that a test can submit it without opening the page. */
export async function hiddenFieldsFor(
  { database, clock }: TestService,
  { cartId, secret, path }: { cartId: string; secret?: string | undefined; path: string },
): Promise<Record<string, string>> {
  const nextSecret = ['details', 'restart', 'apply'].includes(path) ? newToken(16) : '';
  const form = { cartId, secret, path, nextSecret };
  return { formToken: issueToken(await getServiceKey(database.query), identityOf(form), clock.now()), nextSecret };
}
