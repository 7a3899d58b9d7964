/** The fields of an application. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Application } from '../../../shared/wire/application.ts';
import { chair, completeCheckout, createCart, open, submit } from '../../support/checkout.ts';
import { listApplications, requestToken, startService, type TestMerchant, type TestService } from '../../support/service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

const lamp = { ...chair, name: 'Lamp', sku: 'LAMP-1', price: 5_000, quantity: 3 };
const contact = { firstName: 'Grace', lastName: 'Hopper', address: '1 Navy Way', city: 'Arlington', state: 'VA', zip: '22202' };
const cartOptions = {
  items: [chair, lamp],
  discounts: [{ amount: 6_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 1_000 }],
  tax: 8_501,
  billingContact: { ...contact, email: 'grace@example.com', phone: '5550100100' },
  shippingContact: { ...contact, address2: 'Deck 2', email: 'deck@example.com', phone: '5550100101' },
};

/** Returns every amount in an application. */
function moneyIn(value: unknown): { currency: string; value: number }[] {
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap(moneyIn);
  return 'currency' in value ? [value as { currency: string; value: number }, ...nested] : nested;
}

describe('An application', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let all: () => Promise<Application[]>;
  /** A completed application. */
  let completed: Application;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
    const token = await requestToken(service.publicUrl, merchant);
    all = async () => (await listApplications(service.publicUrl, token, 'limit=200')).body.applications;
    await completeCheckout(merchant, cartOptions);
    [completed] = (await all()) as [Application];
  });

  it('has its own id and those of its buyer, tenant, merchant, program and cart [APP-1] [APP-2] [APP-3] [APP-4] [APP-5] [APP-8]', async () => {
    const { id, buyerID, programID, cartID } = completed;
    for (const value of [id, buyerID, programID, cartID]) expect(value).toMatch(UUID);
    expect(new Set([id, buyerID, programID, cartID]).size).toBe(4);
    expect([completed.tenantID, completed.merchantID]).toEqual([merchant.tenantId, merchant.merchantId]);
    expect((await merchant.get(`/carts/${cartID}`)).status).toBe(200);
  });

  it('has a payment method only with a card portion, and has no location [APP-6] [APP-7]', async () => {
    expect(completed).not.toHaveProperty('paymentMethodID');
    expect(completed).not.toHaveProperty('locationID');
    const { url, id } = await createCart(merchant);
    const partiallyApproved = { taxIdLast4: '1101' };
    let page = await open(url);
    for (const input of [partiallyApproved, partiallyApproved, partiallyApproved, { card: 'tok_visa' }])
      page = await submit(page, input);
    const withCard = (await all()).find(({ cartID }) => cartID === id)!;
    expect(withCard.paymentMethodID).toMatch(UUID);
    expect(withCard).not.toHaveProperty('locationID');
  });

  it('has contacts with names, phone, address and e-mail [APP-9] [APP-10] [PERSON-1] [PERSON-2] [PERSON-3] [PERSON-4]', () => {
    const address = { address1: '1 Navy Way', locality: 'Arlington', postalCode: '22202', region: 'US-VA', country: 'US' };
    const name = { givenName: 'Grace', familyName: 'Hopper' };
    expect(completed.billingContact).toEqual({ name, phone: '+15550100100', address, email: 'grace@example.com' });
    expect(completed.shippingContact).toEqual({
      name,
      phone: '+15550100101',
      address: { ...address, address2: 'Deck 2' },
      email: 'deck@example.com',
    });
  });

  it('has an order whose totals are the sums of its items [APP-11] [ORDER-1] [ORDER-2] [ORDER-3] [ORDER-4]', () => {
    const { items, ...totals } = completed.order;
    const cents = Object.fromEntries(Object.entries(totals).map(([name, amount]) => [name, (amount as { value: number }).value]));
    expect(cents).toEqual({ subTotal: 90_000, totalDiscounts: 6_000, totalShipping: 1_000, totalTax: 8_501, totalPrice: 93_501 });
    expect(items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice.value * quantity, 0)).toBe(90_000);
    expect(items.reduce((sum, { unitTax, quantity }) => sum + unitTax.value * quantity, 0)).toBe(8_501);
    const quantityOf = (sku: string) => items.reduce((sum, item) => sum + (item.sku === sku ? item.quantity : 0), 0);
    expect([quantityOf('CHAIR-1'), quantityOf('LAMP-1')]).toEqual([1, 3]);
  });

  it('has an order without items if the cart has a custom total [ORDER-1] [ORDER-4] [ORDER-5]', async () => {
    await completeCheckout(merchant, { items: [], customTotal: 43_700, tax: 3_700 });
    const [{ order }] = (await all()) as [Application];
    expect(order).toEqual({
      subTotal: { currency: 'USD', value: 40_000 },
      totalDiscounts: { currency: 'USD', value: 0 },
      totalShipping: { currency: 'USD', value: 0 },
      totalTax: { currency: 'USD', value: 3_700 },
      totalPrice: { currency: 'USD', value: 43_700 },
      items: [],
    });
  });

  it('has all amounts in cents with a three-letter currency code [MONEY-1] [MONEY-2]', () => {
    const amounts = moneyIn(completed);
    expect(amounts.length).toBeGreaterThan(30);
    for (const amount of amounts) {
      expect(Object.keys(amount).toSorted()).toEqual(['currency', 'value']);
      expect(amount.currency).toMatch(/^[A-Z]{3}$/);
      expect(Number.isSafeInteger(amount.value) && amount.value >= 0).toBe(true);
    }
  });

  it('has the times of its creation, last change and expiration [APP-12] [APP-13] [APP-14]', async () => {
    for (const time of [completed.createdAt, completed.updatedAt, completed.expiresAt]) expect(time).toMatch(TIMESTAMP);
    expect(completed.createdAt <= completed.updatedAt && completed.updatedAt < completed.expiresAt).toBe(true);

    const { url, id } = await createCart(merchant);
    const ofCart = async () => (await all()).find(({ cartID }) => cartID === id)!;
    const application = await submit(await open(url));
    const before = await ofCart();
    await submit(application);
    const after = await ofCart();
    expect([before.status, after.status, after.createdAt]).toEqual(['STARTED', 'APPROVED', before.createdAt]);
    expect(after.updatedAt > before.updatedAt).toBe(true);
  });

  it('has the offered plans and the signed agreement [APP-15] [APP-16]', async () => {
    expect(completed.offers.length).toBeGreaterThan(1);
    expect(completed.paymentAgreements).toHaveLength(1);
    const { id, consentedAt, offer } = completed.paymentAgreements[0]!;
    expect([id, consentedAt]).toEqual([expect.stringMatching(UUID), expect.stringMatching(TIMESTAMP)]);
    expect(completed.offers).toContainEqual(offer);

    const { url, id: cartId } = await createCart(merchant);
    await submit(await open(url));
    expect((await all()).find(({ cartID }) => cartID === cartId)).toMatchObject({ offers: [], paymentAgreements: [] });
  });

  it('has a status and a six-digit status code [APP-17] [APP-18]', () => {
    expect([completed.status, completed.statusCode]).toEqual(['CHECKOUT_COMPLETED', '610000']);
  });
});
