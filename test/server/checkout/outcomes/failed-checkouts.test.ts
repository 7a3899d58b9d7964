/**
 * A checkout that fails before a form was submitted, or that the buyer canceled, redirects to `errorUrl`. Any other failure shows a page with
 * the reason, which leads there by itself after half a minute unless the buyer stays. In a frame or popup, the page posts a message to the
 * shop's page.
 */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CardGateway } from '../../../../server/purchases/cards/gateway.ts';
import { sandboxGateway } from '../../../../server/purchases/cards/sandbox-gateway.ts';
import { plusDays } from '../../../../server/base/time.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { createProgram } from '../../../support/programs.ts';
import { startApp } from '../../../support/app.ts';
import { createCart, open, type Page, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const errorUrl = 'https://shop.example/cart?step=pay&order=7&x=%7E#top';
const storeUrl = 'https://shop.example/store?from=financing';

const service = await startService();
const merchant = await service.createMerchant({ storeUrl });

describe('A failed checkout', () => {
  const applied = async (url: string, taxIdLast4: string) => reachDecision(url, { taxIdLast4 });
  /** Each failure, how to cause it, the step in a frame or popup, and options of the cart. */
  const failures: [
    event: string,
    fail: (url: string, cartId: string) => Promise<Page>,
    step: string,
    options?: Partial<CartOptions>,
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

  const displays = [
    ['page', ''],
    ['frame', '?display=frame'],
    ['popup', '?display=popup'],
  ] as const;
  // Without errorUrl in the message, a popup stays open. Its link sends errorUrl.
  const message = { source: 'fairterm', type: 'not-completed', orderRef: 'ORDER 7' };

  it.each(pages)(
    'if %s after a form was submitted shows what happened, links only to errorUrl, and stays if the buyer wishes [CART-7] [EVT-5] [EVT-6] [EVT-8]',
    async (_event, fail, status, step, lead) => {
      const cart = await createCart(merchant, { orderRef: 'ORDER 7', errorUrl });
      const page = await fail(cart.url, cart.id);
      expect(page).toMatchObject({ status, step, buttonLinks: [errorUrl] });
      expect(page.headers.has('location')).toBe(false);
      expect(page.text).toContain(lead);
      expect(page.text).not.toContain('<form');
      expectToLeave(page, 'page');

      for (const lang of ['en', 'es']) {
        const stayed = await open(stayLink(page).replace('lang=en', `lang=${lang}`));
        const next = status === 500 ? { status: 200, step: 'plans' } : { status, step, buttonLinks: [errorUrl] };
        expect(stayed).toMatchObject(next);
        expectToStay(stayed);
      }
    },
  );

  it("after a form leads to the merchant's store without an errorUrl [CART-7]", async () => {
    const page = await applied((await createCart(merchant, { errorUrl: undefined })).url, '3001');
    expect([page.buttonLinks, page.headers.get('refresh')]).toEqual([[storeUrl], `30; url=${storeUrl}`]);
  });

  it('after a form that failed leads to errorUrl as a redirect has it, with characters beyond ASCII percent-encoded', async () => {
    const cart = await createCart(merchant, { errorUrl: 'https://shop.example/täsch e?ü=1;x="2"#y' });
    const page = await applied(cart.url, '3001');
    expect(page.headers.get('refresh')).toBe('30; url=https://shop.example/t%C3%A4sch%20e?%C3%BC=1;x=%222%22#y');
  });

  it.each(displays)(
    'in a %s leads to errorUrl while the lender cannot be reached, and keeps its form to try again',
    async (display, query) => {
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
    },
  );

  it('responds 200 to the script of the waiting page while the lender cannot be reached, which would continue to poll after 503', async () => {
    const { url } = await applied((await createCart(merchant, { errorUrl })).url, '5001');
    const response = await fetchResponse(url, { headers: { 'x-requested-with': 'fetch' } });
    expect([response.status, response.headers.has('retry-after')]).toEqual([200, false]);
  });

  it('leads to errorUrl if no card could pay the down payment, with the current step to stay', async () => {
    const program = createProgram({ id: 'down', downPayment: { minCents: 10_000 } });
    const app = await startApp(service.database, { cards: undefined, program });
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

  it('is not left by itself in an excluded state', async () => {
    const program = createProgram({ id: 'excluding', states: { excluded: ['CA'] } });
    const { url } = await createCart(await service.createMerchant({ program }), { errorUrl });
    const excluded = await submit(await open(url), { state: 'CA' });
    expect(excluded.step).toBe('excluded');
    expectToStay(excluded);
  });

  it.each(failures.map((failure, index) => [index === 0 ? 'frame' : 'popup', ...failure] as const))(
    'in display=%s shows a page that links to errorUrl and contains it in a message for the shop’s page if %s',
    async (display, _event, fail, step, options = {}) => {
      const cart = await createCart(merchant, { orderRef: 'ORDER 7', errorUrl, ...options });
      const page = await fail(`${cart.url}?display=${display}`, cart.id);
      expect(page.headers.has('location')).toBe(false);
      expect(page.step).toBe(step);
      expect(JSON.parse(sentToShop(page, 'message')!)).toEqual({ ...message, errorUrl });
      // The sandbox allows any origin. A live service names the registered origins.
      expect(sentToShop(page, 'origins')).toBe('*');
      const link = { class: 'button', ...(display === 'frame' ? { target: '_top' } : { 'data-closes': '' }) };
      expect(page.attribute('a', 'href', link)).toBe(errorUrl);
      expect(page.attribute('a', 'data-message', link) === undefined).toBe(display === 'frame');
    },
  );

  it.each(displays)(
    'whose link is opened in a %s after the merchant has expired the cart shows an error message with a link to errorUrl, and stays open [STATE-13]',
    async (display, query) => {
      const cart = await createCart(merchant, { orderRef: 'ORDER 7', errorUrl });
      if (display === 'frame') await submit(await open(cart.url));
      await merchant.post(`/carts/${cart.id}/expire`);
      const page = await open(cart.url + query);
      expect(page).toMatchObject({ status: 410, step: 'expired', buttonLinks: [errorUrl] });
      expect(page.headers.has('location')).toBe(false);
      expectToStay(page);
      expect(sentToShop(page, 'message')).toBe(display === 'page' ? undefined : JSON.stringify(message));
      const sent = display === 'popup' ? JSON.stringify({ ...message, errorUrl }) : undefined;
      expect(page.attribute('a', 'data-message', { class: 'button' })).toBe(sent);
    },
  );

  it('redirects again whenever its link or its session is opened or its form is submitted [CHOICE-31]', async () => {
    const { url } = await createCart(merchant, { errorUrl });
    const applying = await submit(await open(url));
    await submit(await open(applying.url.replace('/apply', '/cancel')));
    for (const each of [url, applying.url]) expect((await open(each)).headers.get('location')).toBe(errorUrl);
    expect((await submit(applying)).headers.get('location')).toBe(errorUrl);
  });
});

describe('A page that cannot be shown', () => {
  /** Opens a page while a table has another name, and then follows its link to try again. */
  const openWithout = async (table: string, url: string) => {
    const rename = (from: string, to: string) =>
      service.database.write((tx) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx));
    await rename(table, `${table}_renamed`);
    const failed = await open(url);
    await rename(`${table}_renamed`, table);
    return { failed, again: await open(linkInside(failed)) };
  };

  it.each<[page: string, query: string, table: string, reach: (url: string) => Promise<string>, step: string]>([
    ['the link', '', 'carts', async (url) => url, 'details'],
    ['the link, before its program is read', '?display=frame', 'program_versions', async (url) => url, 'details'],
    ['a form', '?display=popup', 'applications', async (url) => (await submit(await open(url))).url, 'apply'],
  ])(
    'of %s with the query %j responds 500 without a redirect, and links to the same page',
    async (_page, query, table, reach, step) => {
      const cart = await createCart(merchant, { errorUrl });
      const { failed, again } = await openWithout(table, await reach(cart.url + query));
      expect(failed).toMatchObject({ status: 500, step: 'unexpected-error' });
      expect(failed.headers.has('location')).toBe(false);
      expect(sentToShop(failed, 'message')).toBeUndefined();
      expect(again).toMatchObject({ status: 200, step });
    },
  );

  it('after its checkout was loaded does the same', async () => {
    let isFailing = true;
    const finishEntry: CardGateway['finishEntry'] = (portion, entry) => {
      if (isFailing) throw new Error('The card gateway was called for a test.');
      return sandboxGateway.finishEntry(portion, entry);
    };
    const app = await startApp(service.database, { cards: { ...sandboxGateway, finishEntry } });
    const { url } = await app.createCart({ errorUrl });
    const card = await submit(await reachDecision(`${url}?display=popup`, { taxIdLast4: '1101' }));
    const failed = await open(`${sessionUrl(card)}/card/return?display=popup&entry=tok_visa`);
    expect(failed).toMatchObject({ status: 500, step: 'unexpected-error' });
    expect(sentToShop(failed, 'message')).toBeUndefined();
    isFailing = false;
    expect(await open(linkInside(failed))).toMatchObject({ status: 200, step: 'agreement' });
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
