import { Webhook } from 'standardwebhooks';
import { createShop } from '../../demo/shop.ts';
import { listening } from './listening.ts';
import { apiKey, secret, FakeService } from './fake-service.ts';

/** The callback secrets of the shop, as during a rotation. */
export const secrets = [Buffer.alloc(32, 1), Buffer.alloc(24, 2)].map((key) => `whsec_${key.toString('base64')}`);

/** Returns the headers of a callback that is signed by a secret. */
export function signedBy(callbackSecret: string, body: string, at = new Date()): Record<string, string> {
  const id = 'msg_1';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(callbackSecret).sign(id, at, body),
  };
}

/** Starts the shop and a fake service on free ports. Both are closed after the test. */
export async function startShop() {
  const service = await FakeService.start();
  const { server, url: shopUrl } = await listening();
  const log: string[] = [];
  const options = { shopUrl, callbackSecrets: secrets, log: (line: string) => log.push(line) };
  // Skips the waits between retries.
  const runtime = { wait: () => Promise.resolve() };
  const handle = createShop({ serviceUrl: service.url, apiKey, secret, runtime, ...options }).callback();
  server.on('request', (request, response) => void handle(request, response));
  const call = (body: string, type = 'application/json', headers: Record<string, string> = {}) =>
    fetch(`${shopUrl}/financing/callback`, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
  const sendSigned = (body: string) => call(body, 'application/json', signedBy(secrets[0]!, body));
  return {
    service,
    shopUrl,
    log,
    buyer: new Buyer(shopUrl),
    /** Sends a callback with the given body. */
    call,
    sendSigned,
    sendCallback: (transactionId: string, orderRef: string) => sendSigned(JSON.stringify({ transactionId, orderRef })),
  };
}

/** A browser without JavaScript that stores the shop's cookie and does not follow redirects. */
export class Buyer {
  readonly #shopUrl: string;
  cookie = '';
  /** Origin of the page that sends forms. */
  origin: string;

  constructor(shopUrl: string) {
    this.#shopUrl = shopUrl;
    this.origin = shopUrl;
  }

  async get(path: string): Promise<{ status: number; location: string; html: string; headers: Headers }> {
    return this.#send(path, {});
  }

  post(path: string, form: Record<string, string>) {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(form) });
  }

  /** Adds one unit of a product to the bag. */
  add(slug: string) {
    return this.post('/bag', { slug, add: '1' });
  }

  async #send(path: string, init: RequestInit) {
    const headers = { cookie: this.cookie, origin: this.origin };
    const response = await fetch(new URL(path, this.#shopUrl), { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) this.cookie = set.split(';')[0]!;
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, html: await response.text(), headers: response.headers };
  }
}

/** Starts a shop with an order whose checkout is completed. The shop has not received the callback. */
export async function startShopWithPurchase(checkout?: Parameters<FakeService['completeCheckout']>[0]) {
  const shop = await startShop();
  await shop.buyer.add('turntable');
  await shop.buyer.get('/checkout/financing');
  const orderRef = shop.service.carts[0]!.orderRef;
  const transactionId = shop.service.completeCheckout(checkout);
  const thankYou = `/thank-you?transactionId=${transactionId}&orderRef=${orderRef}`;
  return { ...shop, orderRef, transactionId, thankYou };
}
