/** Carts as production clients, and the buttons of today's pages, send them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { chair, createCart, completeCheckout } from '../../support/checkout.ts';
import { startService, type TestMerchant } from '../../support/service.ts';
import { contact } from './given-contact.ts';

describe('A cart from a production client', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await (await startService()).createMerchant();
  });

  it.each(['/carts', '/carts/'])('posted to %s returns exactly 200, id and url [CLIENT-9] [CHOICE-22]', async (path) => {
    const { status, body } = await merchant.post(path, { options: { customTotal: 5_000 } });
    expect([status, typeof body.id, typeof body.url]).toEqual([200, 'string', 'string']);
    expect(body).not.toHaveProperty('error');
  });

  it('may contain additional fields of the client [CLIENT-11] [CHOICE-18]', async () => {
    const { status, body } = await merchant.post('/carts', {
      cartOrigin: 'plugin',
      url: '',
      createdAt: '0001-01-01T00:00:00Z',
      options: {
        customTotal: 43_700,
        promoLegalese: 'x',
        orderRef: null,
        callbackUrl: '',
        requireShippingContact: false,
        apiKey: merchant.apiKey,
        billingContact: { ...contact, extra: 1 },
        items: [{ ...chair, weight: 7, options: { colour: 'oak' } }],
      },
    });
    expect(status).toBe(200);
    expect(body.url).toContain('/c/');
    expect(body.createdAt).toBeUndefined();
    expect(JSON.stringify(body.options)).not.toMatch(/promoLegalese|extra|weight|colour|apiKey/);
  });

  it.each(['', null, undefined, 'of-another-provider'])(
    'is priced by the default program if it has the program %j [CLIENT-11]',
    async (financingProgramId) => {
      const unnamed = await createCart(merchant);
      expect(await createCart(merchant, { financingProgramId } as object)).toMatchObject({ asLowAs: unnamed['asLowAs'] });
    },
  );

  it('is priced by the program in its options', async () => {
    expect(await createCart(merchant, { financingProgramId: 'standard' })).toMatchObject({
      options: { financingProgramId: 'standard' },
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json; charset=latin1'])(
    'is parsed as JSON with the content type %s [CLIENT-21] [CHOICE-21]',
    async (contentType) => {
      const init = { headers: { 'content-type': contentType }, body: '{"options":{"customTotal":5000}}' };
      expect(await merchant.call('POST', '/carts', init)).toMatchObject({
        status: 200,
        body: { options: { customTotal: 5_000 } },
      });
    },
  );

  it('may have a single free shipping option, whose typeId is returned [CLIENT-14]', async () => {
    const nothing = { type: 'Shipping not required', typeId: 'shipping-not-required', cost: 0 };
    const id = await completeCheckout(merchant, { shippingOptions: [nothing] });
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({
      shippingMethodCode: 'shipping-not-required',
      shippingMethodName: 'Shipping not required',
      shippingCost: 0,
      total: 75_000,
    });
  });

  it('may have line totals as prices together with a customTotal [CLIENT-12]', async () => {
    const items = [{ ...chair, price: 150_000, quantity: 2 }];
    expect(await createCart(merchant, { items, customTotal: 150_000 })).toMatchObject({
      isCustomTotal: true,
      options: { items },
    });
  });

  describe('configured on a button of a page', () => {
    const configured = {
      items: [chair],
      discounts: [{ amount: 1_000, description: 'Welcome' }],
      shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
      tax: 250,
      shippingContact: contact,
      billingContact: contact,
      financingProgramId: null,
      disableEditShipping: false,
      requireShippingContact: true,
    };
    const ofThePageOnly = {
      asLowAs: true,
      actAsLabel: false,
      allowCheckout: true,
      buttonLocation: 'cart_summary',
      showInWindow: true,
    };

    it('is accepted as it is [PAGE-1] [PAGE-2] [PAGE-3]', async () => {
      const { financingProgramId: _none, ...rest } = configured;
      expect(await createCart(merchant, configured as object)).toMatchObject({ options: rest });
      expect(await createCart(merchant, { ...configured, customTotal: 74_750 } as object)).toMatchObject({ isCustomTotal: true });
    });

    it.each(['product', 'category', 'cart_summary', 'checkout'])(
      'may set page options at the location %s [PAGE-5]',
      async (buttonLocation) => {
        const cart = await createCart(merchant, { ...configured, ...ofThePageOnly, buttonLocation } as object);
        for (const field of Object.keys(ofThePageOnly)) expect(cart['options']).not.toHaveProperty(field);
      },
    );
  });
});
