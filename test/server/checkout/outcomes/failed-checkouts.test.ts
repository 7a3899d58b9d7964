/** A failed checkout redirects to `errorUrl`. In a frame or popup, it posts a message to the shop's page instead. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '../../../../server/time.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { createCart, open, type Page, submit } from '../../../support/checkout.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

const errorUrl = 'https://shop.example/cart?step=pay&order=7&x=%7E#top';
const storeUrl = 'https://shop.example/store?from=financing';

describe('A failed checkout', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant({ storeUrl });
  });
  const applied = async (url: string, taxIdLast4: string) => submit(await submit(await open(url)), { taxIdLast4 });
  const atTime = async (now: string, work: () => Promise<Page>) => {
    const before = service.clock.now();
    service.clock.moveTo(now);
    try {
      return await work();
    } finally {
      service.clock.moveTo(before);
    }
  };

  /** Each failure, how to cause it, the heading in a frame or popup, and options of the cart. */
  const failures: [
    event: string,
    fail: (url: string, cartId: string) => Promise<Page>,
    heading: string,
    options?: Partial<CartOptions>,
  ][] = [
    [
      'no plan is offered for the amount',
      (url) => open(url),
      'Financing is not available for this order',
      { items: undefined, customTotal: 4_999 },
    ],
    ['the lender has no plan for the buyer', (url) => applied(url, '3001'), 'Financing is not available for this order'],
    ['the lender is unavailable', (url) => applied(url, '5001'), 'Financing is not available right now'],
    [
      'the buyer cancels',
      async (url) => {
        const { url: applying } = await submit(await open(url));
        return submit(await open(applying.replace('/apply', '/cancel')));
      },
      'Your application is canceled',
    ],
    [
      'the link has expired',
      (url) => atTime(plusDays(service.clock.now(), 365), () => open(url)),
      'This checkout link has expired',
    ],
    [
      'the approval has expired',
      async (url) => {
        const plans = await applied(url, '1001');
        return atTime(plusDays(service.clock.now(), 10), () => submit(plans));
      },
      'This checkout link has expired',
    ],
    [
      'the merchant has expired the cart',
      async (url, cartId) => {
        await merchant.post(`/carts/${cartId}/expire`);
        return open(url);
      },
      'This checkout link has expired',
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
      'Something went wrong on our side',
    ],
  ];

  describe.each(failures)('if %s', (_event, fail, heading, options = {}) => {
    const given = (overrides: Partial<CartOptions>) => createCart(merchant, { orderRef: 'ORDER 7', ...options, ...overrides });

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
        expect(page.heading).toBe(heading);
        const [message, origins] = ['message', 'origins'].map(
          (name) => page.text.match(new RegExp(`hidden[^>]*\\sdata-${name}="([^"]*)"`))?.[1],
        );
        expect(JSON.parse(unescaped(message!))).toEqual({
          source: 'fairterm',
          type: 'not-completed',
          orderRef: 'ORDER 7',
          errorUrl,
        });
        // The sandbox allows any origin. A live service names the registered origins.
        expect(origins).toBe('*');
        const link = /<a\s+class="button"\s+href="https:[^>]*>/.exec(page.text)![0];
        expect(unescaped(link)).toContain(`href="${errorUrl}"`);
        expect(link).toMatch(display === 'frame' ? /target="_top"/ : /data-closes=""\s+data-message=/);
      },
    );
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
    expect(denied).toMatchObject({ status: 200, heading: 'Your application was not approved' });
    expect(unescaped(denied.text)).toContain(`href="${errorUrl}"`);
    expect(denied.text).toContain('Equal Credit Opportunity Act');
  });

  it('is not assumed while the lender waits for the buyer', async () => {
    const needed = await applied((await createCart(merchant, { errorUrl })).url, '4001');
    expect(needed).toMatchObject({ status: 200, heading: 'We need something from you' });
    expect(unescaped(needed.text)).toContain(`href="${errorUrl}"`);
  });

  it('is not assumed after an internal error during the signature, and the purchase can be completed', async () => {
    let page = await applied((await createCart(merchant, { errorUrl })).url, '1001');
    page = await submit(page);
    await service.database.write((tx) => sql`alter table transaction_events rename to journal_renamed`.execute(tx));
    const failed = await submit(page);
    await service.database.write((tx) => sql`alter table journal_renamed rename to transaction_events`.execute(tx));
    expect(failed).toMatchObject({ status: 500, heading: 'Something went wrong on our side' });
    expect(failed.text).not.toContain('shop.example/cart');
    expect(failed.text).toContain('Continue the checkout');
    expect((await submit(page)).headers.get('location')).toContain('transactionId=');
  });
});

const unescaped = (html: string): string => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
