import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEveryEngine } from '../support/engines.ts';
import { chair, givenCart } from '../support/given.ts';
import { givenService, type TestMerchant, type TestService } from '../support/service.ts';

const contact = { firstName: 'Ada', lastName: 'Lovelace', address: '12 Analytical Way', city: 'Springfield', state: 'IL' };
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeOnEveryEngine('POST /carts', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await givenService(engine);
    merchant = await service.givenMerchant();
  });
  const today = () => service.clock.now().slice(0, 10);

  it('answers 200 with the cart, its link and its as-low-as price', async () => {
    const expiration = `${Number(today().slice(0, 4)) + 1}-03-31`;
    const options = {
      orderRef: 'ORDER-1',
      callbackUrl: 'https://shop.example/callback',
      completeUrl: 'https://shop.example/thanks',
      errorUrl: 'https://shop.example/cart',
      createdBy: 'Store 12',
      shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
      shippingContact: { ...contact, email: 'ada@example.com', phone: '5550100100', zip: '62701' },
      billingContact: contact,
      disableEditShipping: true,
      items: [chair],
      discounts: [{ amount: 1_000, description: 'Welcome' }],
    };
    const { status, body } = await merchant.post('/carts', { expiration, options });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(id),
      merchantId: merchant.merchantId,
      cartName: '',
      expiration,
      url: expect.stringMatching(new RegExp(`^${service.publicUrl}/c/[\\w-]{22}$`)),
      createdBy: 'Store 12',
      isCustomTotal: false,
      options,
    });
    expect(body.asLowAs, 'shipping is not counted: 75000 less 1000').toMatchObject({ monthly: 3_414, amount: '$34.14' });
    expect(body).not.toHaveProperty('error');
  });

  it('keeps the last day when none is named: seven days from today', async () => {
    const cart = await givenCart(merchant);
    expect(Date.parse(cart.expiration) - Date.parse(today())).toBe(7 * 86_400_000);
  });

  it('names Merchant API as creator when nobody is named', async () => {
    expect(await givenCart(merchant)).toMatchObject({ createdBy: 'Merchant API' });
  });

  it('takes createdBy beside the options as well', async () => {
    expect(await givenCart(merchant, {}, { createdBy: 'Till 3' })).toMatchObject({ createdBy: 'Till 3' });
  });

  it('takes today as expiration, and refuses yesterday', async () => {
    expect(await merchant.post('/carts', { expiration: today(), options: { customTotal: 100 } })).toMatchObject({ status: 200 });
    const yesterday = new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10);
    const answer = await merchant.post('/carts', { expiration: yesterday, options: { customTotal: 100 } });
    expect(answer).toMatchObject({ status: 400, body: { description: expect.stringContaining(`received "${yesterday}"`) } });
  });

  it('lets customTotal win over all other costs', async () => {
    const cart = await givenCart(merchant, {
      customTotal: 50_000,
      discounts: [{ amount: 99_999_999, description: 'More than everything' }],
      tax: 300,
    });
    expect(cart).toMatchObject({ isCustomTotal: true, asLowAs: { monthly: 2_307 }, options: { tax: 300, items: [chair] } });
  });

  it('takes what production clients send along, and ignores what it does not know', async () => {
    const { status, body } = await merchant.post('/carts/', {
      cartOrigin: 'plugin',
      url: '',
      createdAt: '0001-01-01T00:00:00Z',
      options: {
        customTotal: 437.0,
        promoLegalese: 'x',
        financingProgramId: '',
        orderRef: null,
        callbackUrl: '',
        requireShippingContact: false,
        apiKey: merchant.apiKey,
        billingContact: {
          ...contact,
          fullName: 'Ada Lovelace',
          phone: '(555) 010-0100',
          zip: '62701-1234',
          state: 'il',
          extra: 1,
        },
      },
    });
    expect(status).toBe(200);
    expect(body.options.billingContact).toMatchObject({ phone: '5550100100', zip: '62701', state: 'IL' });
    expect(body.options).not.toHaveProperty('promoLegalese');
  });

  it('prices a cart by its default program when the program it names is not one of the merchant', async () => {
    const unnamed = await givenCart(merchant);
    expect(await givenCart(merchant, { financingProgramId: 'of-another-provider' })).toMatchObject({
      asLowAs: unnamed['asLowAs'],
    });
  });

  it('reads JSON whatever the Content-Type says', async () => {
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const init = { headers: { 'content-type': contentType }, body: '{"options":{"customTotal":5000}}' };
      expect(await merchant.call('POST', '/carts', init)).toMatchObject({ status: 200 });
    }
  });

  it('gives every cart a link of its own that says nothing', async () => {
    const [first, second] = [await givenCart(merchant), await givenCart(merchant)];
    expect(first.url).not.toBe(second.url);
    expect(first.url).not.toContain(first.id);
  });

  describe('refuses with 400, naming path, expectation and what came:', () => {
    const withItem = (item: object) => ({ options: { items: [{ ...chair, ...item }] } });
    it.each<[string, unknown, string]>([
      ['no price at all', { options: {} }, 'At path: options -- Expected `items` or `customTotal`, but received neither'],
      ['no items', { options: { items: [] } }, 'At path: options -- Expected `items` or `customTotal`, but received neither'],
      ['no options', {}, 'At path: options -- Expected an object, but received: undefined'],
      [
        'a negative price',
        withItem({ price: -1 }),
        'At path: options.items.0.price -- Expected a integer greater than or equal to 0',
      ],
      [
        'a fraction of a cent',
        withItem({ price: 1.5 }),
        'At path: options.items.0.price -- Expected an integer, but received: 1.5',
      ],
      [
        '2^53 cents',
        withItem({ price: 2 ** 53 }),
        'At path: options.items.0.price -- Expected a integer less than or equal to 99999999999',
      ],
      [
        'a price as text',
        withItem({ price: '75000' }),
        'At path: options.items.0.price -- Expected an integer, but received: "75000"',
      ],
      [
        'no quantity',
        withItem({ quantity: undefined }),
        'At path: options.items.0.quantity -- Expected an integer, but received: undefined',
      ],
      [
        'a quantity of 0',
        withItem({ quantity: 0 }),
        'At path: options.items.0.quantity -- Expected a integer greater than or equal to 1',
      ],
      [
        'a line beyond counting',
        withItem({ price: 99_999_999_999, quantity: 2 }),
        'At path: options.items.0 -- Expected price times quantity',
      ],
      [
        'lines that add up beyond counting',
        { options: { items: [0, 1].map(() => ({ ...chair, price: 99_999_999_999 })) } },
        'add up to',
      ],
      ['no sku', withItem({ sku: undefined }), 'At path: options.items.0.sku -- Expected a string, but received: undefined'],
      [
        'a discount of nothing',
        { options: { items: [chair], discounts: [{ amount: 0, description: 'x' }] } },
        'At path: options.discounts.0.amount',
      ],
      [
        'discounts above the price',
        { options: { items: [chair], discounts: [{ amount: 75_000, description: 'x' }] } },
        'At path: options -- Expected items',
      ],
      [
        'a date that does not exist',
        { expiration: '2027-02-30', options: { customTotal: 1 } },
        'At path: expiration -- Expected a date such as 2026-03-31, but received "2027-02-30"',
      ],
      [
        'a callback that is no web address',
        { options: { customTotal: 1, callbackUrl: 'javascript:alert(1)' } },
        'At path: options.callbackUrl -- Expected an http or https URL',
      ],
      [
        'an unknown state',
        { options: { customTotal: 1, billingContact: { ...contact, state: 'ZZ' } } },
        'At path: options.billingContact.state -- Expected a US state or DC as 2 letters, but received "ZZ"',
      ],
      [
        'a short phone number',
        { options: { customTotal: 1, billingContact: { ...contact, phone: '555' } } },
        'At path: options.billingContact.phone -- Expected a phone number of 10 digits',
      ],
      [
        'a nameless person',
        { options: { customTotal: 1, billingContact: { ...contact, firstName: '' } } },
        'At path: options.billingContact -- Expected `fullName`',
      ],
      [
        'a NUL',
        { options: { customTotal: 1, orderRef: 'a\0b' } },
        'At path: options.orderRef -- Expected text without control characters',
      ],
      [
        'an endless text',
        { options: { customTotal: 1, orderRef: 'x'.repeat(201) } },
        'At path: options.orderRef -- Expected a string of 0 to 200 characters',
      ],
      ['a list', [], 'Expected an object'],
      ['malformed JSON', '{"options":', 'The body could not be read: expected a JSON object.'],
      ['text', '"cart"', 'The body could not be read: expected a JSON object.'],
      ['nothing', '', 'At path: options -- Expected an object, but received: undefined'],
    ])('%s', async (_what, request, description) => {
      const answer = await merchant.post('/carts', request);
      expect(answer.body).toMatchObject({ error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' });
      expect(answer.body.description).toContain(description);
      expect(answer.status).toBe(400);
    });

    it('a body of 10 MB, with 413', async () => {
      const answer = await merchant.post(
        '/carts',
        JSON.stringify({ options: { customTotal: 1, orderRef: 'x'.repeat(10_000_000) } }),
      );
      expect(answer).toMatchObject({ status: 413, body: { error: true, code: 'body-too-large' } });
    });

    it('and nothing of it is stored', async () => {
      const count = async () => (await service.database.query.selectFrom('carts').select('id').execute()).length;
      const before = await count();
      await merchant.post('/carts', withItem({ price: -1 }));
      expect(await count()).toBe(before);
    });
  });

  describe('GET /carts/:cartId', () => {
    it('answers the cart as it was created', async () => {
      const created = await givenCart(merchant, { orderRef: 'ORDER-2' });
      const { status, body } = await merchant.get(`/carts/${created.id}`);
      expect(status).toBe(200);
      expect(body).toEqual(created);
    });

    it('ignores a body, even a broken one', async () => {
      const { id: cartId } = await givenCart(merchant);
      // fetch refuses to send a body with GET; production clients do not.
      const { request } = await import('undici');
      const answer = await request(`${service.publicUrl}/carts/${cartId}`, {
        method: 'GET',
        headers: { authorization: `Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}` },
        body: '{broken',
      });
      await answer.body.dump();
      expect(answer.statusCode).toBe(200);
    });

    it.each(['unknown', '00000000-0000-7000-8000-000000000000', "'; drop table carts; --", '%00', '%E0%A4%A'])(
      'answers 404 or 400 in the error body to the id %s',
      async (cartId) => {
        const answer = await merchant.get(`/carts/${encodeURI(cartId).replaceAll('%25', '%')}`);
        expect([404, 400]).toContain(answer.status);
        expect(answer.body).toMatchObject({ error: true, type: 'INTERNAL_ERROR' });
      },
    );

    it('answers to the id of another merchant what it answers to an unknown one', async () => {
      const { id: foreign } = await givenCart(await service.givenMerchant());
      const [answer, unknown] = [await merchant.get(`/carts/${foreign}`), await merchant.get('/carts/unknown')];
      expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text]);
    });
  });

  it('offers no way to update a cart: 405 with Allow', async () => {
    const { id: cartId } = await givenCart(merchant);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await merchant.call(method, `/carts/${cartId}`, { body: '{}' });
      expect(answer).toMatchObject({ status: 405, body: { error: true, code: 'method-not-allowed' } });
      expect(answer.headers.get('allow')).toContain('GET');
    }
  });
});
