import { createShop } from '../../demo/shop.ts';
import { listening } from './listening.ts';
import { apiKey, secret, StandInService } from './stand-in-service.ts';

/** A shop on a free port and the service it talks to. Both are closed when the test is over. */
export async function givenShop({ callbackSecrets = [] }: { callbackSecrets?: string[] } = {}) {
  const service = await StandInService.start();
  const { server, url: shopUrl } = await listening();
  const log: string[] = [];
  const told = { shopUrl, callbackSecrets, log: (line: string) => log.push(line) };
  // It waits as long as anywhere, which here takes no time.
  const platform = { wait: () => Promise.resolve() };
  const answer = createShop({ serviceUrl: service.url, apiKey, secret, platform, ...told }).callback();
  server.on('request', (request, response) => void answer(request, response));
  const call = (body: string, type = 'application/json', headers: Record<string, string> = {}) =>
    fetch(`${shopUrl}/financing/callback`, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
  return {
    service,
    shopUrl,
    log,
    buyer: new Buyer(shopUrl),
    /** The callback that the service sends, with this body. */
    call,
    report: (transactionId: string, orderRef: string) => call(JSON.stringify({ transactionId, orderRef })),
  };
}

/** A browser without JavaScript: it keeps the shop's cookie and shows where it is sent. */
export class Buyer {
  readonly #shopUrl: string;
  cookie = '';

  constructor(shopUrl: string) {
    this.#shopUrl = shopUrl;
  }

  async get(path: string): Promise<{ status: number; location: string; html: string; headers: Headers }> {
    return this.#send(path, {});
  }

  post(path: string, form: Record<string, string>) {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(form) });
  }

  /** Puts one of a product into the bag. */
  add(slug: string) {
    return this.post('/bag', { slug, add: '1' });
  }

  async #send(path: string, init: RequestInit) {
    const headers = { cookie: this.cookie };
    const response = await fetch(new URL(path, this.#shopUrl), { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) this.cookie = set.split(';')[0]!;
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, html: await response.text(), headers: response.headers };
  }
}

/** An order whose buyer has finished the hosted checkout; nobody has told the shop yet. */
export async function givenCheckedOutOrder(
  checkout?: Parameters<StandInService['completeCheckout']>[0],
  options?: Parameters<typeof givenShop>[0],
) {
  const shop = await givenShop(options);
  await shop.buyer.add('turntable');
  await shop.buyer.get('/checkout/financing');
  const orderRef = shop.service.carts[0]!.orderRef;
  const transactionId = shop.service.completeCheckout(checkout);
  const thankYou = `/thank-you?transactionId=${transactionId}&orderRef=${orderRef}`;
  return { ...shop, orderRef, transactionId, thankYou };
}
