import { acceptedContact } from '@fairterm/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startService } from '../../../support/service.ts';

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  address: '1 Main St',
  address2: 'Apt 2',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  email: 'ada@shop.example',
  phone: '5125550100',
};

const service = await startService();
const merchant = await service.createMerchant();
const creates = async (billingContact: unknown) => {
  const { status } = await merchant.post('/carts', { options: { customTotal: 100_00, billingContact } });
  return status === 200;
};

describe('The contact that a cart accepts', () => {
  it('is the contact as the service stores it', async () => {
    const contact = acceptedContact({ ...ada, state: ' tx ', zip: '78701-1234', phone: '+1 (512) 555-0100' });
    expect(contact).toEqual(ada);
    expect(await creates(contact)).toBe(true);
  });

  it.each([
    ['zip', '7870'],
    ['zip', null],
    ['email', 'ada@shop'],
    ['email', 7],
    ['phone', '+44 20 7946 0958'],
    ['phone', ''],
    ['address2', 'x'.repeat(201)],
  ] as const)('has no %s if that is %j, because the checkout asks for it', async (field, value) => {
    const contact = acceptedContact({ ...ada, [field]: value });
    const { [field]: _, ...others } = ada;
    expect(contact).toEqual(others);
    expect(await creates(contact)).toBe(true);
  });

  it.each([
    ['firstName', null],
    ['lastName', ''],
    ['address', undefined],
    ['city', null],
    ['state', 'Ontario'],
    ['state', undefined],
  ] as const)('is undefined if its %s is %j', (field, value) => {
    expect(acceptedContact({ ...ada, [field]: value })).toBeUndefined();
  });

  it('has no fields that a contact does not have', () => {
    expect(acceptedContact({ ...ada, company: 'Acme' })).toEqual(ada);
  });

  it('is always accepted, whatever a shop has stored', async () => {
    const value = fc.oneof(fc.string(), fc.constantFrom(null, undefined, 0, {}, [], ' ', 'é'.repeat(300), 'TX', '78701'));
    const anyContact = fc.record(
      Object.fromEntries(Object.entries(ada).map(([name, usual]) => [name, fc.oneof(fc.constant(usual), value)])),
    );
    await fc.assert(
      fc.asyncProperty(anyContact, async (contact) => {
        const accepted = acceptedContact(contact);
        expect(accepted === undefined || (await creates(accepted))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
