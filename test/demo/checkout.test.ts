import { describe, expect, it } from 'vitest';
import { givenShop } from './given-shop.ts';

async function givenFullBag() {
  const shop = await givenShop();
  for (const slug of ['turntable', 'amplifier', 'amplifier']) await shop.buyer.add(slug);
  return shop;
}

describe('given a turntable and two amplifiers in the bag', () => {
  it('when the buyer pays over time, then the service is asked for exactly this cart', async () => {
    const { buyer, service, shopUrl } = await givenFullBag();

    await buyer.get('/checkout/financing');

    const orderRef = service.carts[0]!.orderRef;
    expect(orderRef).toMatch(/^AT-[2-9A-Z]{5}-[2-9A-Z]{5}$/);
    expect(service.carts).toEqual([
      {
        orderRef,
        callbackUrl: `${shopUrl}/financing/callback`,
        completeUrl: `${shopUrl}/thank-you`,
        errorUrl: `${shopUrl}/financing/declined?orderRef=${orderRef}`,
        items: [
          {
            name: 'Arbor, belt-drive turntable',
            sku: 'AT-TT-01',
            price: 129_900,
            quantity: 1,
            imageUrl: `${shopUrl}/assets/turntable.svg`,
            detailUrl: `${shopUrl}/products/turntable`,
          },
          {
            name: 'Ember, integrated amplifier',
            sku: 'AT-AM-03',
            price: 114_900,
            quantity: 2,
            imageUrl: `${shopUrl}/assets/amplifier.svg`,
            detailUrl: `${shopUrl}/products/amplifier`,
          },
        ],
        discounts: [{ amount: 15_000, description: 'Listening room offer' }],
        shippingOptions: [
          { type: 'Standard delivery, 3 to 5 days', typeId: 'standard', cost: 0 },
          { type: 'Express delivery, next working day', typeId: 'express', cost: 2_900 },
          { type: 'Delivery and setup by two people', typeId: 'setup', cost: 8_900 },
        ],
      },
    ]);
  });

  it('then the addresses sent along lead to pages and pictures that exist', async () => {
    const { buyer, service } = await givenFullBag();

    await buyer.get('/checkout/financing');

    for (const { imageUrl, detailUrl } of service.carts[0]!.items) {
      expect((await buyer.get(imageUrl)).headers.get('content-type')).toBe('image/svg+xml');
      expect((await buyer.get(detailUrl)).status).toBe(200);
    }
    expect((await buyer.get(service.carts[0]!.errorUrl)).status).toBe(200);
  });

  it('when the buyer pays over time, then the browser is sent to the checkout', async () => {
    const { buyer, service } = await givenFullBag();

    const { status, location } = await buyer.get('/checkout/financing');

    expect([status, location]).toEqual([303, `${service.url}/checkout/1`]);
  });

  it('when the button opens its checkout in a window, then the checkout is told', async () => {
    const { buyer, service } = await givenFullBag();

    const { location } = await buyer.get('/checkout/financing?display=popup');

    expect(location).toBe(`${service.url}/checkout/1?display=popup`);
  });

  it('when the buyer has no JavaScript, then an ordinary link leads to the checkout', async () => {
    const { buyer } = await givenFullBag();

    const { html } = await buyer.get('/bag');

    expect(html).toMatch(/<a slot="fallback" href="\/checkout\/financing">Pay over time<\/a>/);
  });

  it('when the buyer goes twice, then there are two orders with numbers of their own', async () => {
    const { buyer, service } = await givenFullBag();

    await Promise.all([buyer.get('/checkout/financing'), buyer.get('/checkout/financing')]);

    expect(new Set(service.carts.map(({ orderRef }) => orderRef)).size).toBe(2);
  });

  it('when the cookie is given a price, then the cart still has the catalogue’s', async () => {
    const { buyer, service } = await givenFullBag();

    buyer.cookie = 'alder_bag=turntable.1.100~amplifier.1.price=1';
    await buyer.get('/checkout/financing?amount=100&price=100');

    expect(service.carts[0]!.items.map(({ price }) => price)).toEqual([129_900, 114_900]);
  });

  it('when the buyer comes back without financing, then the page is friendly and the bag is kept', async () => {
    const { buyer, service } = await givenFullBag();
    await buyer.get('/checkout/financing');

    const { status, html } = await buyer.get(service.carts[0]!.errorUrl);

    expect(status).toBe(200);
    expect(html).toContain('choose another way to pay');
    expect((await buyer.get('/bag')).html).toContain('Arbor');
  });

  it('when the service refuses, then the page says sorry with 502 and the log says why', async () => {
    const { buyer, service, log } = await givenFullBag();
    service.outage = 'At path: options.items -- Expected something else';

    const { status, html } = await buyer.get('/checkout/financing');

    expect(status).toBe(502);
    expect(html).toContain('Financing is not available right now');
    expect(html).not.toContain('Expected something else');
    expect(log.join('\n')).toContain('At path: options.items -- Expected something else');
  });
});

describe('given a service that is down', () => {
  it('when the buyer pays over time, then the page says sorry with 502 and the bag is kept', async () => {
    const { buyer, service } = await givenShop();
    await buyer.add('turntable');
    await service.stop();

    const { status, html } = await buyer.get('/checkout/financing');

    expect(status).toBe(502);
    expect(html).toContain('Your bag is safe');
    expect((await buyer.get('/bag')).html).toContain('Arbor');
  });
});

describe('given an empty bag', () => {
  it('when the buyer pays over time, then nothing is asked and the browser is back at the bag', async () => {
    const { buyer, service } = await givenShop();

    const { status, location } = await buyer.get('/checkout/financing');

    expect([status, location, service.calls]).toEqual([303, '/bag', []]);
  });
});
