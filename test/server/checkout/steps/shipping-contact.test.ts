/** The `shippingContact` of a transaction. Shops rely on a phone number of 10 digits, an e-mail address and a ZIP code of 5 digits. */
import { describe, expect, it } from 'vitest';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import type { TransactionContact } from '../../../../shared/wire/transaction.ts';
import { completeCheckout, createCart, elsewhere, open, type Page, submit } from '../../../support/checkout.ts';
import { startService } from '../../../support/service.ts';

const ground = { type: 'Ground', typeId: 'ground', cost: 500 };
const boise = { firstName: 'Store', lastName: 'Pickup', address: '1 Main Street', city: 'Boise', state: 'ID' };
const fixed = { shippingContact: boise, disableEditShipping: true };

/** Contact data in the default input of `submit`. */
const buyer = { email: 'ada@example.com', phone: '5550100100' };

const merchant = await (await startService()).createMerchant();

describe('The shippingContact of a transaction', () => {
  const shippingContactOf = async (id: string): Promise<TransactionContact> =>
    (await merchant.get(`/transactions/${id}`)).body.shippingContact;
  const completeWith = async (options: Partial<CartOptions>, input: Record<string, string>): Promise<TransactionContact> => {
    let page = await open((await createCart(merchant, options)).url);
    while (page.status === 200) page = await submit(page, input);
    return shippingContactOf(transactionIdOf(page));
  };

  it('has the phone and e-mail of a buyer who ships to another address', async () => {
    const contact = await completeWith({ shippingOptions: [ground] }, elsewhere);
    expect(contact).toMatchObject({ fullName: 'Howard Aiken', zip: '02138', ...buyer });
  });

  it('has the phone and e-mail of the cart’s shippingContact unless the buyer changes the name', async () => {
    const howard = { firstName: 'Howard', lastName: 'Aiken', email: 'howard@example.com', phone: '6175550100' };
    const shippingContact = { ...howard, address: '33 Oxford Street', city: 'Cambridge', state: 'MA', zip: '02138' };
    expect(await completeWith({ shippingContact }, elsewhere)).toMatchObject({ email: howard.email, phone: howard.phone });
    const another = await completeWith({ shippingContact }, { ...elsewhere, shippingFirstName: 'Grace' });
    expect(another).toMatchObject({ fullName: 'Grace Aiken', ...buyer });
  });

  const cambridge = {
    firstName: 'Howard',
    lastName: 'Aiken',
    address: '33 Oxford Street',
    city: 'Cambridge',
    state: 'MA',
    zip: '02138',
  };

  it('is the one of a cart without a billingContact if the buyer enters only a home address', async () => {
    const { url } = await createCart(merchant, { shippingContact: cambridge });
    const details = await open(url);
    expect(prefilledIn(details)).toEqual(
      expect.not.objectContaining({ address: expect.anything(), firstName: expect.anything() }),
    );
    // The buyer fills in the empty fields, and leaves the others as they are.
    let page = await submit(details, prefilledIn(details));
    while (page.status === 200) page = await submit(page);
    const { body } = await merchant.get(`/transactions/${transactionIdOf(page)}`);
    expect(body.shippingContact).toMatchObject({ fullName: 'Howard Aiken', address: '33 Oxford Street', zip: '02138' });
    expect(body.billingContact).toMatchObject({ fullName: 'Ada Lovelace', address: '12 Analytical Way', zip: '62701' });
  });

  describe('with a fixed contact in the cart', () => {
    it('has the phone and e-mail of the buyer if the cart has none', async () => {
      const contact = await completeWith({ ...fixed, shippingContact: { ...boise, zip: '83702' } }, {});
      expect(contact).toMatchObject({ fullName: 'Store Pickup', city: 'Boise', zip: '83702', ...buyer });
    });

    it('has the phone number, e-mail address and ZIP code of the cart', async () => {
      const contact = { zip: '83702', email: 'store@example.com', phone: '2085550100' };
      expect(await completeWith({ ...fixed, shippingContact: { ...boise, ...contact } }, elsewhere)).toMatchObject(contact);
    });

    it('has the ZIP code that the buyer enters if the cart has none, and no other fields of the buyer', async () => {
      const page = await open((await createCart(merchant, fixed)).url);
      expect(page.text).toContain('name="shippingZip"');
      expect(page.text).toContain('Your order ships to Boise, ID.');
      expect(page.text, 'shows no other field of the contact').not.toMatch(/name="shipping(?!Zip)|1 Main Street/);
      for (const shippingZip of ['', '8370', 'Boise']) {
        const again = await submit(page, { shippingZip });
        expect(again.status).toBe(422);
        expect(again.text).toContain(
          shippingZip ? 'Enter a ZIP code to ship to, with 5 digits' : 'Enter the ZIP code to ship to',
        );
      }
      const contact = await completeWith(fixed, { ...elsewhere, shippingZip: '83702-1234' });
      expect(contact).toMatchObject({ fullName: 'Store Pickup', address: '1 Main Street', city: 'Boise', zip: '83702' });
    });
  });

  describe('after POST /sandbox/checkouts', () => {
    const austin = { firstName: 'Grace', lastName: 'Hopper', address: '1 Compiler Road', city: 'Austin', state: 'TX' };

    it.each<[string, Partial<CartOptions>]>([
      ['without contacts', { shippingOptions: [ground] }],
      ['with a shippingContact that lacks a ZIP', { shippingContact: austin }],
      [
        'with another shippingContact that lacks a phone',
        { billingContact: austin, shippingContact: { ...boise, zip: '83702' } },
      ],
      ['with a fixed shippingContact that lacks a ZIP', { billingContact: austin, ...fixed }],
    ])('for a cart %s is the same as after the same input in the pages', async (_title, options) => {
      const id = await completeCheckout(merchant, options);
      const bySandbox = (await merchant.get(`/transactions/${id}`)).body;
      const { billingContact, shippingContact } = bySandbox;

      const { fullName: _fullName, ...billing } = billingContact;
      let page = await open((await createCart(merchant, options)).url);
      // Prefilled fields are kept. Empty fields get the input of the sandbox's buyer.
      const form = {
        ...billing,
        shippingZip: shippingContact.zip,
        ...prefilledIn(page),
        state: billing.state,
        shippingTypeId: 'ground',
      };
      while (page.status === 200) page = await submit(page, form);
      const byPages = (await merchant.get(`/transactions/${transactionIdOf(page)}`)).body;
      const ids = { serviceTransactionId: expect.any(String), cartId: expect.any(String), createdAt: expect.any(String) };
      expect(bySandbox).toEqual({ ...byPages, ...ids });
      for (const contact of [billingContact, shippingContact]) {
        expect(contact).toMatchObject({
          phone: expect.stringMatching(/^\d{10}$/),
          zip: expect.stringMatching(/^\d{5}$/),
          email: expect.stringMatching(/@/),
        });
      }
    });

    it('has a ZIP code in the state of the address', async () => {
      const { zip, city } = await shippingContactOf(await completeCheckout(merchant, { billingContact: austin }));
      expect([city, zip]).toEqual(['Austin', '78701']);
      expect((await shippingContactOf(await completeCheckout(merchant, { billingContact: austin, ...fixed }))).zip).toBe('83702');
    });
  });
});

/** Returns the values of the fields that are not empty. */
function prefilledIn({ values }: Page): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function transactionIdOf({ headers }: Page): string {
  return new URL(headers.get('location')!).searchParams.get('transactionId')!;
}
