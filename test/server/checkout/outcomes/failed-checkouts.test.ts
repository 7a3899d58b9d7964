/**
 * A checkout that fails before a form was submitted, or that the buyer canceled, redirects to `errorUrl`. Any other failure shows a page with
 * the reason, which leads there by itself after half a minute unless the buyer stays. In a frame or popup, the page posts a message to the
 * shop's page.
 */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CardGateway } from '../../../../server/purchases/cards/gateway.ts';
import { sandboxGateway } from '../../../../server/purchases/cards/sandbox-gateway.ts';
import { plusDays, type Instant } from '../../../../server/base/time.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { createProgram } from '../../../support/programs.ts';
import { startApp } from '../../../support/app.ts';
import { createCart, open, type Page, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { dateIn } from '../../../../shared/dates.ts';

const errorUrl = 'https://shop.example/cart?step=pay&order=7&x=%7E#top';
const storeUrl = 'https://shop.example/store?from=financing';

describe('A failed checkout', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant({ storeUrl });
  });
  const applied = async (url: string, taxIdLast4: string) => reachDecision(url, { taxIdLast4 });
  const atTime = async (now: Instant, work: () => Promise<Page>) => {
    const before = service.clock.now();
    service.clock.moveTo(now);
    try {
      return await work();
    } finally {
      service.clock.moveTo(before);
    }
  };

  /** Each failure, how to cause it, the step in a frame or popup, and options of the cart. */
  const failures: [
    event: string,
    fail: (url: string, cartId: string) => Promise<Page>,
    step: string,
    options?: Partial<CartOptions>,
    /** Days until the link expires. */
    days?: number,
  ][] = [
    ['no plan is offered for the amount', (url) => open(url), 'unavailable', { items: undefined, customTotal: 4_999 }],
    [
      'the buyer cancels',
      async (url) => {
        const { url: applying } = await submit(await open(url));
        return submit(await open(applying.replace('/apply', '/cancel')));
      },
      'cancelled',
    ],
    [
      'the link is opened again after the buyer canceled',
      async (url) => {
        const { url: applying } = await submit(await open(url));
        await submit(await open(applying.replace('/apply', '/cancel')));
        return open(url);
      },
      'ended',
    ],
    [
      'the link is opened again after the lender had no plan for the buyer',
      async (url) => {
        await applied(url, '3001');
        return open(url);
      },
      'ended',
    ],
    [
      'the link is opened again after the approval has expired',
      async (url) => {
        await applied(url, '1001');
        return atTime(plusDays(service.clock.now(), 10), () => open(url));
      },
      'ended',
      {},
      30,
    ],
  ];

  /** Each failure after a form was submitted, how to cause it, the status and step of its page, and the text of the page. */
  const pages: [
    event: string,
    fail: (url: string, cartId: string) => Promise<Page>,
    status: number,
    step: string,
    lead: string,
  ][] = [
    ['the lender has no plan for the buyer', (url) => applied(url, '3001'), 200, 'unavailable', 'makes no loan of this kind'],
    [
      'the approval has expired',
      async (url, cartId) => {
        const plans = await applied(url, '1001');
        const expiresAt = plusDays(service.clock.now(), -1);
        await service.database.write((tx) =>
          tx.updateTable('applications').set({ expiresAt }).where('cartId', '=', cartId).execute(),
        );
        return submit(plans);
      },
      410,
      'expired',
      'the agreement was not signed by',
    ],
    [
      'the merchant expires the cart of an approval',
      async (url, cartId) => {
        const plans = await applied(url, '1001');
        await merchant.post(`/carts/${cartId}/expire`);
        return submit(plans);
      },
      410,
      'expired',
      'ended the checkout of your order',
    ],
    [
      'the service fails before anything is signed',
      async (url) => {
        const plans = await applied(url, '1001');
        await service.database.write((tx) =>
          sql`alter table applications rename column offer_id to offer_id_renamed`.execute(tx),
        );
        const failed = await submit(plans);
        await service.database.write((tx) =>
          sql`alter table applications rename column offer_id_renamed to offer_id`.execute(tx),
        );
        return failed;
      },
      500,
      'unexpected-error',
      'We could not process the form',
    ],
  ];

  describe.each(pages)('if %s after a form was submitted', (_event, fail, status, step, lead) => {
    it.each([
      ['page', ''],
      ['frame', '?display=frame'],
      ['popup', '?display=popup'],
    ])('in a %s shows what happened, and links only to errorUrl [CART-7] [EVT-5] [EVT-6] [EVT-8]', async (display, query) => {
      const cart = await createCart(merchant, { orderRef: 'ORDER 7', errorUrl });
      const page = await fail(cart.url + query, cart.id);
      expect(page).toMatchObject({ status, step });
      expect(page.headers.has('location')).toBe(false);
      expect(page.text).toContain(lead);
      expect(page.buttonLinks).toEqual([errorUrl]);
      expect(page.text).not.toContain('<form');
      expectToLeave(page, display);
      // Without errorUrl in the message, a popup stays open. Its link sends errorUrl.
      const message = { source: 'fairterm', type: 'not-completed', orderRef: 'ORDER 7' };
      expect(sentToShop(page, 'message')).toBe(display === 'page' ? undefined : JSON.stringify(message));
    });

    it("leads to the merchant's store without an errorUrl [CART-7]", async () => {
      const cart = await createCart(merchant, { errorUrl: undefined });
      const page = await fail(cart.url, cart.id);
      expect([page.buttonLinks, page.headers.get('refresh')]).toEqual([[storeUrl], `30; url=${storeUrl}`]);
    });

    it.each([
      ['page', ''],
      ['frame', '?display=frame'],
      ['popup', '?display=popup'],
    ])('in a %s stays if the buyer wishes, also in another language: the current step after a form', async (_display, query) => {
      const cart = await createCart(merchant, { errorUrl });
      const left = await fail(cart.url + query, cart.id);
      for (const lang of ['en', 'es']) {
        const stayed = await open(stayLink(left).replace('lang=en', `lang=${lang}`));
        const next = status === 500 ? { status: 200, step: 'plans' } : { status, step };
        expect(stayed).toMatchObject(next);
        expectToStay(stayed);
        if (status !== 500) expect(stayed.buttonLinks).toEqual([errorUrl]);
      }
    });
  });

  it('after a form that failed leads to errorUrl as a redirect has it, with characters beyond ASCII percent-encoded', async () => {
    const cart = await createCart(merchant, { errorUrl: 'https://shop.example/täsch e?ü=1;x="2"#y' });
    const page = await applied(cart.url, '3001');
    expect(page.headers.get('refresh')).toBe('30; url=https://shop.example/t%C3%A4sch%20e?%C3%BC=1;x=%222%22#y');
  });

  it('announces in Spanish that it leads to the shop', async () => {
    const page = await applied(`${(await createCart(merchant)).url}?lang=es`, '3001');
    expect(page.text).toContain('En 30 segundos volverá a Acme Goods.');
    expect(page.links).toContain(storeUrl);
    expect(page.text).toMatch(/Ir ahora[^]*Quedarme en esta página/);
  });

  it.each([
    ['page', ''],
    ['frame', '?display=frame'],
    ['popup', '?display=popup'],
  ])('in a %s leads to errorUrl while the lender cannot be reached, and keeps its form to try again', async (display, query) => {
    const { url } = await createCart(merchant, { errorUrl, orderRef: 'ORDER 7' });
    const page = await applied(url + query, '5001');
    expect(page).toMatchObject({ status: 503, step: 'apply', buttonLinks: [errorUrl, errorUrl] });
    expect(page.text).toContain('Fairterm Lending could not be reached');
    expectToLeave(page, display);
    // The checkout is not over until the page leads to the shop.
    expect(sentToShop(page, 'message')).toBeUndefined();

    const stayed = await open(stayLink(page));
    expect(stayed).toMatchObject({ status: 503, step: 'apply', buttonLinks: [errorUrl] });
    expectToStay(stayed);
    const corrected = await submit(stayed, { dateOfBirth: '' });
    expect(corrected).toMatchObject({ status: 422, step: 'apply' });
    expectToStay(corrected);
    expect(await submit(corrected, { taxIdLast4: '1001' })).toMatchObject({ status: 200, step: 'plans' });
  });

  it('is not assumed for a form that has to be corrected, while the lender cannot be reached', async () => {
    const page = await applied((await createCart(merchant, { errorUrl })).url, '5001');
    const corrected = await submit(page, { dateOfBirth: '' });
    expect(corrected).toMatchObject({ status: 422, step: 'apply', buttonLinks: [errorUrl] });
    expectToStay(corrected);
  });

  it('responds 200 to the script of the waiting page while the lender cannot be reached, which would continue to poll after 503', async () => {
    const { url } = await applied((await createCart(merchant, { errorUrl })).url, '5001');
    const response = await fetchResponse(url, { headers: { 'x-requested-with': 'fetch' } });
    expect([response.status, response.headers.has('retry-after')]).toEqual([200, false]);
  });

  it('leads to errorUrl if no card could pay the down payment, with the current step to stay', async () => {
    const app = await startApp(service.database, { cards: undefined });
    const program = createProgram({ id: 'down', downPayment: { minCents: 10_000 } });
    await importProgram(service.database, program, [app.merchantId], { asDefault: true }, service.clock.now());
    const { url } = await app.createCart({ errorUrl });
    const page = await reachDecision(url);
    expect(page).toMatchObject({ status: 503, step: 'no-cards' });
    expectToLeave(page, 'page');
    expect(await open(linkInside(page))).toMatchObject({ status: 200, step: 'apply' });
    const stayed = await open(stayLink(page));
    expect(stayed).toMatchObject({ status: 200, step: 'apply' });
    expectToStay(stayed);
  });

  it.each<[title: string, taxIdLast4: string, step: string]>([
    ['a denial', '2001', 'declined'],
    ['an application that needs an action', '4001', 'needs-action'],
    ['a pending request', '5002', 'waiting'],
    ['an approval', '1001', 'plans'],
  ])('is not left by itself after %s', async (_title, taxIdLast4, step) => {
    for (const query of ['', '?display=frame', '?display=popup']) {
      const page = await applied((await createCart(merchant, { errorUrl })).url + query, taxIdLast4);
      expect(page.step).toBe(step);
      expectToStay(page);
    }
  });

  it('is not left by itself in an excluded state, and by an expired link', async () => {
    const app = await startApp(service.database, {});
    const program = createProgram({ id: 'excluding', states: { excluded: ['CA'] } });
    await importProgram(service.database, program, [app.merchantId], { asDefault: true }, service.clock.now());
    const excluded = await submit(await open((await app.createCart({ errorUrl })).url), { state: 'CA' });
    expect(excluded.step).toBe('excluded');
    expectToStay(excluded);
    const cart = await createCart(merchant, { errorUrl });
    await applied(cart.url, '1001');
    await merchant.post(`/carts/${cart.id}/expire`);
    const expired = await open(cart.url);
    expect(expired).toMatchObject({ status: 410, step: 'expired' });
    expectToStay(expired);
  });

  describe.each(failures)('if %s', (_event, fail, step, options = {}, days = 7) => {
    const given = (overrides: Partial<CartOptions>) => {
      const expiration = dateIn(plusDays(service.clock.now(), days), 'UTC');
      return createCart(merchant, { orderRef: 'ORDER 7', ...options, ...overrides }, { expiration });
    };

    it('redirects to errorUrl unchanged [CART-7] [EVT-5] [EVT-6] [EVT-8] [CHOICE-31]', async () => {
      const cart = await given({ errorUrl });
      const page = await fail(cart.url, cart.id);
      expect([page.status, page.headers.get('location'), page.text]).toEqual([303, errorUrl, '']);
    });

    it("redirects to the merchant's store without an errorUrl [CART-7]", async () => {
      const cart = await given({ errorUrl: undefined });
      const page = await fail(cart.url, cart.id);
      expect([page.status, page.headers.get('location')]).toEqual([303, storeUrl]);
    });

    it.each(['frame', 'popup'])(
      'in display=%s shows a page that links to errorUrl and contains it in a message for the shop’s page',
      async (display) => {
        const cart = await given({ errorUrl });
        const page = await fail(`${cart.url}?display=${display}`, cart.id);
        expect(page.headers.has('location')).toBe(false);
        expect(page.step).toBe(step);
        const [message, origins] = ['message', 'origins'].map((name) => sentToShop(page, name));
        expect(JSON.parse(message!)).toEqual({ source: 'fairterm', type: 'not-completed', orderRef: 'ORDER 7', errorUrl });
        // The sandbox allows any origin. A live service names the registered origins.
        expect(origins).toBe('*');
        const link = { class: 'button', ...(display === 'frame' ? { target: '_top' } : { 'data-closes': '' }) };
        expect(page.attribute('a', 'href', link)).toBe(errorUrl);
        expect(page.attribute('a', 'data-message', link) === undefined).toBe(display === 'frame');
      },
    );
  });

  describe.each<[string, (url: string, cartId: string) => Promise<Page>]>([
    ['its last day', (url) => atTime(plusDays(service.clock.now(), 365), () => open(url))],
    [
      'the merchant has expired the cart',
      async (url, cartId) => {
        await merchant.post(`/carts/${cartId}/expire`);
        return open(url);
      },
    ],
    [
      'the merchant has expired the cart of an application',
      async (url, cartId) => {
        await submit(await open(url));
        await merchant.post(`/carts/${cartId}/expire`);
        return open(url);
      },
    ],
  ])('whose link is opened after %s', (_event, openExpired) => {
    it.each([
      ['page', ''],
      ['frame', '?display=frame'],
      ['popup', '?display=popup'],
    ])('in a %s shows an error message with a link to errorUrl, and stays open [STATE-13]', async (display, query) => {
      const cart = await createCart(merchant, { orderRef: 'ORDER 7', errorUrl });
      const page = await openExpired(cart.url + query, cart.id);
      expect(page).toMatchObject({ status: 410, step: 'expired' });
      expect(page.headers.has('location')).toBe(false);
      expect(page.buttonLinks).toEqual([errorUrl]);
      // Without errorUrl in the message, a popup stays open. Its link sends errorUrl.
      const message = { source: 'fairterm', type: 'not-completed', orderRef: 'ORDER 7' };
      expect(sentToShop(page, 'message')).toBe(display === 'page' ? undefined : JSON.stringify(message));
      const sent = display === 'popup' ? JSON.stringify({ ...message, errorUrl }) : undefined;
      expect(page.attribute('a', 'data-message', { class: 'button' })).toBe(sent);
    });
  });

  it('percent-encodes characters beyond ASCII in errorUrl', async () => {
    const cart = await createCart(merchant, {
      items: undefined,
      customTotal: 4_999,
      errorUrl: 'https://shop.example/täsch e?ü=1',
    });
    expect((await open(cart.url)).headers.get('location')).toBe('https://shop.example/t%C3%A4sch%20e?%C3%BC=1');
  });

  it('redirects again whenever its session is opened or its form is submitted', async () => {
    const { url } = await createCart(merchant, { errorUrl });
    const applying = await submit(await open(url));
    await submit(await open(applying.url.replace('/apply', '/cancel')));
    expect((await open(applying.url)).headers.get('location')).toBe(errorUrl);
    expect((await submit(applying)).headers.get('location')).toBe(errorUrl);
  });

  it('responds with a page, not a redirect, to the script of the waiting page', async () => {
    const { url } = await createCart(merchant, { errorUrl, items: undefined, customTotal: 4_999 });
    const response = await fetchResponse(url, { headers: { 'x-requested-with': 'fetch' } });
    expect(response.status).toBe(200);
    expect(response.headers.has('retry-after')).toBe(false);
  });

  it('shows the adverse action notice first, with a link to errorUrl [EVT-4]', async () => {
    const denied = await applied((await createCart(merchant, { errorUrl })).url, '2001');
    expect(denied).toMatchObject({ status: 200, step: 'declined' });
    expect(denied.links).toContain(errorUrl);
    expect(denied.text).toContain('Equal Credit Opportunity Act');
  });

  it('is not assumed while the lender waits for the buyer', async () => {
    const needed = await applied((await createCart(merchant, { errorUrl })).url, '4001');
    expect(needed).toMatchObject({ status: 200, step: 'needs-action' });
    expect(needed.links).toContain(errorUrl);
  });

  it('is not assumed after an internal error during the signature, and the purchase can be completed', async () => {
    let page = await applied((await createCart(merchant, { errorUrl })).url, '1001');
    page = await submit(page);
    await service.database.write((tx) => sql`alter table transaction_events rename to journal_renamed`.execute(tx));
    const failed = await submit(page);
    await service.database.write((tx) => sql`alter table journal_renamed rename to transaction_events`.execute(tx));
    expect(failed).toMatchObject({ status: 500, step: 'unexpected-error' });
    expect(failed.text).not.toContain('shop.example/cart');
    expect(failed.text).toContain('Try again');
    expect((await submit(page)).headers.get('location')).toContain('transactionId=');
  });
});

describe('A page that cannot be shown', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant({ storeUrl });
  });
  /** Opens a page while a table has another name, and then follows its link to try again. */
  const openWithout = async (table: string, url: string) => {
    const rename = (from: string, to: string) =>
      service.database.write((tx) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx));
    await rename(table, `${table}_renamed`);
    const failed = await open(url);
    await rename(`${table}_renamed`, table);
    return { failed, again: await open(linkInside(failed)) };
  };

  describe.each(['', '?display=frame', '?display=popup'])('at an address with the query %j', (query) => {
    it.each<[string, string, (url: string) => Promise<string>, string]>([
      ['the link', 'carts', async (url) => url, 'details'],
      ['the link, before its program is read', 'program_versions', async (url) => url, 'details'],
      ['a form', 'applications', async (url) => (await submit(await open(url))).url, 'apply'],
    ])('of %s responds 500 without a redirect, and links to the same page', async (_page, table, reach, step) => {
      const cart = await createCart(merchant, { errorUrl });
      const url = await reach(cart.url + query);
      const { failed, again } = await openWithout(table, url);
      expect(failed).toMatchObject({ status: 500, step: 'unexpected-error' });
      expect(failed.headers.has('location')).toBe(false);
      expect(sentToShop(failed, 'message')).toBeUndefined();
      expect(again).toMatchObject({ status: 200, step });
    });

    it('after its checkout was loaded does the same', async () => {
      let isFailing = true;
      const finishEntry: CardGateway['finishEntry'] = (portion, entry) => {
        if (isFailing) throw new Error('The card gateway was called for a test.');
        return sandboxGateway.finishEntry(portion, entry);
      };
      const app = await startApp(service.database, { cards: { ...sandboxGateway, finishEntry } });
      const { url } = await app.createCart({ errorUrl });
      const card = await submit(await reachDecision(url + query, { taxIdLast4: '1101' }));
      const failed = await open(`${sessionUrl(card)}/card/return${query || '?'}&entry=tok_visa`);
      expect(failed).toMatchObject({ status: 500, step: 'unexpected-error' });
      expect(sentToShop(failed, 'message')).toBeUndefined();
      isFailing = false;
      expect(await open(linkInside(failed))).toMatchObject({ status: 200, step: 'agreement' });
    });
  });
});

/** Asserts that a page announces first that it leads to `errorUrl`, and does so: with a header, or with a message in a frame or popup. */
function expectToLeave(page: Page, display: string): void {
  expect(page.headers.get('refresh')).toBe(display === 'page' ? `30; url=${errorUrl}` : null);
  expect(page.text).toMatch(/<\/h1>\s*<p[^>]*>In 30 seconds, you return to [^<]+\.<\/p>/);
  expect(page.attribute('p', 'class', { class: 'scripted' })).toBe(display === 'page' ? undefined : 'scripted');
  const link = { class: 'button', href: errorUrl };
  const message = JSON.stringify({ source: 'fairterm', type: 'not-completed', orderRef: 'ORDER 7', errorUrl });
  const isFramed = display !== 'page';
  expect(sentToShop(page, 'leaving')).toBe(isFramed ? message : undefined);
  expect(sentToShop(page, 'leaves-after')).toBe(isFramed ? '30' : undefined);
  expect(page.attribute('a', 'data-message', link)).toBe(isFramed ? message : undefined);
  expect(page.attribute('a', 'target', link)).toBe(display === 'frame' ? '_top' : undefined);
  expect(page.attribute('a', 'data-closes', link)).toBe(display === 'popup' ? '' : undefined);
}

function expectToStay(page: Page): void {
  expect(page.headers.has('refresh')).toBe(false);
  expect(page.text).not.toMatch(/In 30 seconds|En 30 segundos/);
  expect(sentToShop(page, 'leaving')).toBeUndefined();
}

/** Returns the link of a page to itself, or to the current step, without leading to the shop. */
function stayLink({ links, url }: Page): string {
  return new URL(
    links.find((link) => link.includes('stay=1'))!,
    url,
  ).href;
}

/** Returns the first button that leads to another page of the checkout. */
function linkInside({ buttonLinks }: Page): string {
  return buttonLinks.find((link) => new URL(link).pathname.startsWith('/c/'))!;
}

/** Returns an attribute of the element from which the client script sends messages to the shop's page. */
function sentToShop(page: Page, name: string): string | undefined {
  return page.attribute('div', `data-${name}`, { hidden: '' });
}
