/** Carts as production clients and the buttons of current pages send them. */
import { describe, expect, it } from 'vitest';
import { chair, createCart } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { contact } from './contact.ts';

const merchant = await (await startService()).createMerchant();

describe('A cart from a production client', () => {
  it.each(['/carts', '/carts/'])('posted to %s returns 200, an id and a URL [CLIENT-9] [CHOICE-22]', async (path) => {
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
    'is quoted from the default program if its program is %j [CLIENT-11]',
    async (financingProgramId) => {
      const byDefault = await createCart(merchant);
      expect(await createCart(merchant, { financingProgramId } as object)).toMatchObject({ asLowAs: byDefault['asLowAs'] });
    },
  );

  describe('with the options of a button', () => {
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
    const pageOptions = {
      asLowAs: true,
      actAsLabel: false,
      allowCheckout: true,
      buttonLocation: 'cart_summary',
      showInWindow: true,
    };

    it('is accepted unchanged [PAGE-1] [PAGE-2] [PAGE-3]', async () => {
      const { financingProgramId: _none, ...rest } = configured;
      expect(await createCart(merchant, configured as object)).toMatchObject({ options: rest });
      expect(await createCart(merchant, { ...configured, customTotal: 74_750 } as object)).toMatchObject({ isCustomTotal: true });
    });

    it.each(['product', 'category', 'cart_summary', 'checkout'])(
      'may have options of the page, which are not stored, at the location %s [PAGE-5]',
      async (buttonLocation) => {
        const cart = await createCart(merchant, { ...configured, ...pageOptions, buttonLocation } as object);
        for (const field of Object.keys(pageOptions)) expect(cart['options']).not.toHaveProperty(field);
      },
    );
  });
});
