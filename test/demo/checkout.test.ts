import { describe, expect, it } from 'vitest';
import { startShop } from './shop.ts';

async function startShopWithFullBag() {
  const shop = await startShop();
  for (const slug of ['turntable', 'amplifier', 'amplifier']) await shop.buyer.add(slug);
  return shop;
}

describe('The checkout of a turntable and two amplifiers', () => {
  it('creates a cart with the items, discounts, shipping options and URLs of the shop', async () => {
    const { buyer, service, shopUrl } = await startShopWithFullBag();

    await buyer.get('/checkout/financing');

    const orderRef = service.carts[0]!.orderRef;
    expect(orderRef).toMatch(/^AT-[2-9A-Z]{5}-[2-9A-Z]{5}$/);
    expect(service.carts).toEqual([
      {
        orderRef,
        callbackUrl: `${shopUrl}/financing/callback`,
        completeUrl: `${shopUrl}/thank-you`,
        errorUrl: `${shopUrl}/financing/declined`,
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

  it('passes the display parameter on to the checkout', async () => {
    const { buyer, service } = await startShopWithFullBag();

    const { location } = await buyer.get('/checkout/financing?display=popup');

    expect(location).toBe(`${service.url}/checkout/1?display=popup`);
  });

  it('prefills the address of a signed-in buyer', async () => {
    const { buyer, service } = await startShopWithFullBag();
    expect((await buyer.get('/bag?buyer=ada&mode=popup')).html).toContain(
      'cart-url="/checkout/financing?buyer=ada" mode="popup"',
    );

    await buyer.get('/checkout/financing?buyer=ada');

    const { billingContact, shippingContact } = service.carts[0]!;
    expect(billingContact).toMatchObject({ firstName: 'Ada', zip: '62701' });
    expect(shippingContact).toEqual(billingContact);
  });

  it('uses the catalog’s prices, not those of the cookie or the query', async () => {
    const { buyer, service } = await startShopWithFullBag();

    buyer.cookie = 'alder_bag=turntable.1.100~amplifier.1.price=1';
    await buyer.get('/checkout/financing?amount=100&price=100');

    expect(service.carts[0]!.items.map(({ price }) => price)).toEqual([129_900, 114_900]);
  });

  it('shows an error page with 502 if the service rejects the cart, and logs the reason', async () => {
    const { buyer, service, log } = await startShopWithFullBag();
    service.outage = 'At path: options.items -- Expected something else';

    const { status, html } = await buyer.get('/checkout/financing');

    expect(status).toBe(502);
    expect(html).toContain('Financing is not available right now');
    expect(html).toContain('Your bag is safe');
    expect((await buyer.get('/bag')).html).toContain('Arbor');
    expect(html).not.toContain('Expected something else');
    expect(log.join('\n')).toContain('At path: options.items -- Expected something else');
  });
});

describe('With an empty bag,', () => {
  it('the checkout redirects to the bag without a call to the service', async () => {
    const { buyer, service } = await startShop();

    const { status, location } = await buyer.get('/checkout/financing');

    expect([status, location, service.calls]).toEqual([303, '/bag', []]);
  });
});

describe('The checkout with a card', () => {
  it('places a confirmed order without a call to the service, and empties the bag', async () => {
    const { buyer, service } = await startShopWithFullBag();
    expect((await buyer.get('/checkout/card')).html).toContain('nothing is charged');

    const { status, location } = await buyer.post('/checkout/card', { delivery: 'express' });
    const { html } = await buyer.get(location);

    expect([status, service.calls]).toEqual([303, []]);
    for (const text of ['Your card was not charged', '$3,476', 'Express delivery']) expect(html).toContain(text);
    expect(buyer.cookie).toBe('alder_bag=');
  });

  it('rejects an unknown delivery and redirects to an empty bag', async () => {
    const { buyer } = await startShopWithFullBag();

    expect((await buyer.post('/checkout/card', { delivery: 'drone' })).status).toBe(400);
    buyer.cookie = '';
    expect((await buyer.get('/checkout/card')).location).toBe('/bag');
    expect((await buyer.post('/checkout/card', { delivery: 'express' })).location).toBe('/bag');
  });
});
