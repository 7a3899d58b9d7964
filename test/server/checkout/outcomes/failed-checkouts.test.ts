/** A failed checkout redirects to `errorUrl`; in a frame or a window of the shop's page it tells that page where to go. */
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
  const onADay = async (now: string, work: () => Promise<Page>) => {
    const before = service.clock.now();
    service.clock.moveTo(now);
    try {
      return await work();
    } finally {
      service.clock.moveTo(before);
    }
  };

  /** How each failure comes about: what the cart has, what the buyer does, and the heading that an embedded page has. */
  const failures: [
    what: string,
    lead: (url: string, cartId: string) => Promise<Page>,
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
    ['no lender can be asked', (url) => applied(url, '5001'), 'Financing is not available right now'],
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
      (url) => onADay(plusDays(service.clock.now(), 365), () => open(url)),
      'This checkout link has expired',
    ],
    [
      'the approval has expired',
      async (url) => {
        const plans = await applied(url, '1001');
        return onADay(plusDays(service.clock.now(), 10), () => submit(plans));
      },
      'This checkout link has expired',
    ],
    [
      'the merchant has ended the link',
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
        await service.database.write((tx) => sql`alter table applications rename column offer_id to offer_id_away`.execute(tx));
        const failed = await submit(plans);
        await service.database.write((tx) => sql`alter table applications rename column offer_id_away to offer_id`.execute(tx));
        return failed;
      },
      'Something went wrong on our side',
    ],
  ];

  describe.each(failures)('because %s', (_what, lead, heading, options = {}) => {
    const given = (over: Partial<CartOptions>) => createCart(merchant, { orderRef: 'ORDER 7', ...options, ...over });

    it('redirects to errorUrl, exactly as it was written [CART-7] [EVT-5] [EVT-6] [EVT-8] [CHOICE-31]', async () => {
      const cart = await given({ errorUrl });
      const page = await lead(cart.url, cart.id);
      expect([page.status, page.headers.get('location'), page.text]).toEqual([303, errorUrl, '']);
    });

    it("redirects to the merchant's store without an errorUrl [CART-7]", async () => {
      const cart = await given({ errorUrl: undefined });
      const page = await lead(cart.url, cart.id);
      expect([page.status, page.headers.get('location')]).toEqual([303, storeUrl]);
    });

    it.each(['frame', 'popup'])('in display=%s posts errorUrl to the surrounding page, and has a link to it', async (display) => {
      const cart = await given({ errorUrl });
      const page = await lead(`${cart.url}?display=${display}`, cart.id);
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
      // In the sandbox; a live service names the registered origins.
      expect(origins).toBe('*');
      const link = /<a\s+class="button"\s+href="https:[^>]*>/.exec(page.text)![0];
      expect(unescaped(link)).toContain(`href="${errorUrl}"`);
      expect(link).toMatch(display === 'frame' ? /target="_top"/ : /data-closes=""\s+data-message=/);
    });
  });

  it('escapes an errorUrl beyond ASCII as browsers do', async () => {
    const cart = await createCart(merchant, {
      items: undefined,
      customTotal: 4_999,
      errorUrl: 'https://shop.example/täsch e?ü=1',
    });
    expect((await open(cart.url)).headers.get('location')).toBe('https://shop.example/t%C3%A4sch%20e?%C3%BC=1');
  });

  it('redirects again whenever its link is opened', async () => {
    const { url } = await createCart(merchant, { errorUrl });
    const applying = await submit(await open(url));
    await submit(await open(applying.url.replace('/apply', '/cancel')));
    expect((await open(applying.url)).headers.get('location')).toBe(errorUrl);
    expect((await submit(applying)).headers.get('location')).toBe(errorUrl);
  });

  it('is shown rather than redirected to the script of the page that waited for the lender', async () => {
    const { url } = await createCart(merchant, { errorUrl, items: undefined, customTotal: 4_999 });
    const response = await fetchResponse(url, { headers: { 'x-requested-with': 'fetch' } });
    expect(response.status).toBe(200);
    expect(response.headers.has('retry-after')).toBe(false);
  });

  it('shows the notice of a denial first, with a button that leads to errorUrl [EVT-4]', async () => {
    const denied = await applied((await createCart(merchant, { errorUrl })).url, '2001');
    expect(denied).toMatchObject({ status: 200, heading: 'We cannot offer financing this time' });
    expect(unescaped(denied.text)).toContain(`href="${errorUrl}"`);
    expect(denied.text).toContain('Equal Credit Opportunity Act');
  });

  it('has not occurred while a lender waits for an action of the buyer', async () => {
    const needed = await applied((await createCart(merchant, { errorUrl })).url, '4001');
    expect(needed).toMatchObject({ status: 200, heading: 'We need something from you' });
    expect(unescaped(needed.text)).toContain(`href="${errorUrl}"`);
  });

  it('has not occurred when the service fails during the signature: the purchase may still be completed', async () => {
    let page = await applied((await createCart(merchant, { errorUrl })).url, '1001');
    page = await submit(page);
    await service.database.write((tx) => sql`alter table transaction_events rename to journal_away`.execute(tx));
    const failed = await submit(page);
    await service.database.write((tx) => sql`alter table journal_away rename to transaction_events`.execute(tx));
    expect(failed).toMatchObject({ status: 500, heading: 'Something went wrong on our side' });
    expect(failed.text).not.toContain('shop.example/cart');
    expect(failed.text).toContain('Continue the checkout');
    expect((await submit(page)).headers.get('location')).toContain('transactionId=');
  });
});

const unescaped = (html: string): string => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
