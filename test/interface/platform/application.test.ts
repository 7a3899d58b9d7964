/** The fields of an application. */
import { describe, expect, it } from 'vitest';
import type { Application } from '../../../shared/wire/application.ts';
import { chair, completeCheckout, createCart, open, submit } from '../../support/checkout.ts';
import { listApplications, requestToken, startService } from '../../support/service.ts';

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

const service = await startService();
const merchant = await service.createMerchant();
const token = await requestToken(service.publicUrl, merchant);
const all = async (): Promise<Application[]> => (await listApplications(service.publicUrl, token, 'limit=200')).body.applications;
await completeCheckout(merchant, cartOptions);
const [completed] = (await all()) as [Application];

describe('An application', () => {
  it('has its own id and those of its buyer, tenant, merchant, program and cart [APP-1] [APP-2] [APP-3] [APP-4] [APP-5] [APP-8]', async () => {
    const { id, buyerID, programID, cartID } = completed;
    for (const value of [id, buyerID, programID, cartID]) expect(value).toMatch(UUID);
    expect(new Set([id, buyerID, programID, cartID]).size).toBe(4);
    expect([completed.tenantID, completed.merchantID]).toEqual([merchant.tenantId, merchant.merchantId]);
    expect((await merchant.get(`/carts/${cartID}`)).status).toBe(200);
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

  it('has a status and a six-digit status code [APP-17] [APP-18]', () => {
    expect([completed.status, completed.statusCode]).toEqual(['CHECKOUT_COMPLETED', '610000']);
  });
});
