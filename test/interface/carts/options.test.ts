/** The options of a cart, except prices and contacts. */
import { describe, expect, it } from 'vitest';
import { completeCheckout, createCart, open, reachAgreement, submit } from '../../support/checkout.ts';
import { startReceiver } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { until } from '../../support/time.ts';
import { contact } from './contact.ts';

const ground = { type: 'Ground', typeId: 'ground', cost: 500 };
const express = { type: 'Express', typeId: 'express', cost: 2_900 };

const merchant = await (await startService()).createMerchant();

describe('The cart option [CART-3]', () => {
  const storedOptions = async (options: object) => {
    const cart = await createCart(merchant, options);
    const { body } = await merchant.get(`/carts/${cart.id}`);
    expect(body.options).toEqual(cart['options']);
    return body.options;
  };
  const transactionOf = async (options: object) =>
    (await merchant.get(`/transactions/${await completeCheckout(merchant, options)}`)).body;
  it('orderRef is returned in the callback and the redirect, and is optional [CART-4]', async () => {
    const { url: callbackUrl, received } = await startReceiver();
    for (const orderRef of ['ORDER-1', undefined]) {
      const signed = await submit(await reachAgreement((await createCart(merchant, { orderRef, callbackUrl })).url));
      const { searchParams } = new URL(signed.headers.get('location')!);
      expect(searchParams.get('orderRef')).toBe(orderRef ?? '');
      const isForTransaction = ({ body }: { body: string }) =>
        JSON.parse(body).transactionId === searchParams.get('transactionId');
      const callback = await until(() => received.find(isForTransaction));
      expect(JSON.parse(callback.body).orderRef).toBe(orderRef ?? '');
    }
  });

  it('shippingOptions is offered to the buyer, and the selected option is added to the total and stored in the transaction [CART-9] [CART-11] [OBJ-11] [CHOICE-29]', async () => {
    const cart = await createCart(merchant, { shippingOptions: [ground, express] });
    const details = await open(cart.url);
    for (const { type } of [ground, express]) expect(details.text).toContain(type);
    expect(await submit(details, { shippingTypeId: '' })).toMatchObject({ status: 422 });
    const signed = await submit(await reachAgreement(cart.url, { shippingTypeId: 'express' }));
    const id = new URL(signed.headers.get('location')!).searchParams.get('transactionId');
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({
      shippingMethodCode: 'express',
      shippingMethodName: 'Express',
      shippingCost: 2_900,
      total: 77_900,
    });
  });

  it('shippingOptions with a single entry selects it [CART-10] [CLIENT-14]', async () => {
    const { shippingMethodCode, total } = await transactionOf({ shippingOptions: [ground] });
    expect([shippingMethodCode, total]).toEqual(['ground', 75_500]);
    const signed = await submit(
      await reachAgreement((await createCart(merchant, { shippingOptions: [ground] })).url, { shippingTypeId: '' }),
    );
    expect(signed.status).toBe(303);
  });

  it('disableEditShipping ships to the contact of the cart and hides the shipping fields [CART-18] [PAGE-4]', async () => {
    const options = {
      shippingOptions: [ground],
      shippingContact: { ...contact, city: 'Boise', state: 'ID', zip: '83702' },
      disableEditShipping: true,
    };
    const cart = await createCart(merchant, options);
    expect((await open(cart.url)).text).not.toContain('shipElsewhere');
    const signed = await submit(await reachAgreement(cart.url, { shipElsewhere: 'yes', shippingCity: 'Elsewhere' }));
    const id = new URL(signed.headers.get('location')!).searchParams.get('transactionId');
    expect((await merchant.get(`/transactions/${id}`)).body.shippingContact).toMatchObject({ city: 'Boise', state: 'ID' });
  });

  it('disableEditShipping without a billingContact shows empty fields instead of the hidden address [CART-18]', async () => {
    const shippingContact = {
      ...contact,
      address: '1 Pickup Road',
      zip: '83702',
      email: 'store@example.com',
      phone: '2085550100',
    };
    const page = await open((await createCart(merchant, { shippingContact, disableEditShipping: true })).url);
    const values = Object.fromEntries(
      [...page.text.matchAll(/<input\s+id="(\w+)"[^>]*\svalue="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    expect(values).toEqual({ firstName: '', lastName: '', email: '', phone: '', address: '', address2: '', city: '', zip: '' });
    expect(page.text).not.toContain('selected');
  });

  it('disableEditShipping with a billingContact prefills the fields with it [CART-18] [CART-19]', async () => {
    const shippingContact = { ...contact, address: '1 Pickup Road' };
    const cart = await createCart(merchant, { shippingContact, billingContact: contact, disableEditShipping: true });
    const { text } = await open(cart.url);
    expect(text).toContain(`value="${contact.address}"`);
    expect(text).not.toContain('1 Pickup Road');
  });

  it('disableEditShipping defaults to false, which shows the shipping fields [CART-18]', async () => {
    for (const disableEditShipping of [undefined, null, false] as false[]) {
      const cart = await createCart(merchant, { shippingContact: contact, disableEditShipping });
      expect((cart['options'] as { disableEditShipping: boolean }).disableEditShipping).toBe(false);
      expect((await open(cart.url)).text).toContain('shipElsewhere');
    }
  });

  it('requireShippingContact shows the shipping fields even if nothing is shipped [OBJ-27] [PAGE-4]', async () => {
    for (const requireShippingContact of [true, false]) {
      const cart = await createCart(merchant, { requireShippingContact });
      expect(cart['options']).toMatchObject({ requireShippingContact });
      expect((await open(cart.url)).text.includes('shipElsewhere')).toBe(requireShippingContact);
    }
  });

  it('apiKey is accepted and not stored [OBJ-26] [CLIENT-11]', async () => {
    expect(await storedOptions({ apiKey: merchant.apiKey })).not.toHaveProperty('apiKey');
  });
});
