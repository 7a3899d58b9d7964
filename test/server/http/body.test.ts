import { beforeAll, describe, expect, it } from 'vitest';
import { completeCheckout, createCart, open, postFresh, typed } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';

const LEVELS = 100_000;
const lists = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
const objects = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
const forbiddenNames = ['toString', 'valueOf', 'toJSON'];
const contact = { fullName: 'Ada Lovelace', address: '12 Analytical Way', city: 'Springfield', state: 'IL' };
const withOptions = (options: object) => ({ options: { customTotal: 50_000, ...options } });

describe('A malicious request body', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let transactionId: string;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
    transactionId = await completeCheckout(merchant);
  });

  const expectRejection = async (path: string, body: unknown) => {
    const loggedBefore = service.logged.length;
    const response = await merchant.post(path, body);
    expect(response.body).toEqual({
      description: expect.any(String),
      error: true,
      type: 'INTERNAL_ERROR',
      code: 'invalid-request',
    });
    expect(response.status).toBe(400);
    expect(service.logged.slice(loggedBefore).filter((line) => line.includes('"error"'))).toEqual([]);
    expect(await merchant.post('/aslowas', { customTotal: 50_000 })).toMatchObject({ status: 200 });
    return response.body.description as string;
  };

  describe('is rejected with 400 and without a logged error, and the next request succeeds:', () => {
    it.each<[string, string]>([
      ['arrays', lists],
      ['arrays in an unknown field', `{"options":{"customTotal":50000},"note":${lists}}`],
      ['arrays for an amount', `{"customTotal":${lists}}`],
      ['arrays for items', `{"options":{"items":${lists}}}`],
      ['objects', objects],
      ['objects for an amount', `{"customTotal":${objects}}`],
      ['objects for a type', `{"type":${objects}}`],
    ])(`${LEVELS} levels of %s`, async (_title, body) => {
      for (const path of ['/carts', '/aslowas', `/transactions/actions/${transactionId}`, '/sandbox/clock']) {
        expect(await expectRejection(path, body)).toContain('levels of nesting');
      }
    });

    it.each<[string, unknown]>([
      ['{"customTotal":{"toString":1,"valueOf":1}}', { customTotal: { toString: 1, valueOf: 1 } }],
      ...forbiddenNames.map((name): [string, unknown] => [`customTotal with ${name}`, { customTotal: { [name]: 1 } }]),
      ...forbiddenNames.map((name): [string, unknown] => [`an array with ${name}`, { customTotal: [[{ [name]: null }]] }]),
      ['toJSON in the body', { customTotal: 50_000, toJSON: 'x' }],
    ])('%s, to /aslowas', async (_title, body) => {
      expect(await expectRejection('/aslowas', body)).toContain('Expected no field named');
    });

    it.each<[string, unknown]>([
      ['{"type":{"toString":1}}', { type: { toString: 1 } }],
      ['{"type":{"toString":1,"valueOf":1}}', { type: { toString: 1, valueOf: 1 } }],
      ['{"type":{"toJSON":1}}', { type: { toJSON: 1 } }],
      ['merchantOrderId with toJSON', { type: 'authorize', merchantOrderId: { toJSON: 1 } }],
    ])('%s, to the actions of a transaction', async (_title, body) => {
      expect(await expectRejection(`/transactions/actions/${transactionId}`, body)).toContain('Expected no field named');
    });

    it.each<[string, unknown]>([
      ['an object for a type', { type: {} }],
      ['an array for a type', { type: ['authorize'] }],
      ['the name of an inherited function for a type', { type: 'toString' }],
      ['a number for a type', { type: 7 }],
    ])('%s, to the actions of a transaction', async (_title, body) => {
      expect(await expectRejection(`/transactions/actions/${transactionId}`, body)).toContain('At path: type');
    });

    it.each<[string, unknown]>([
      ['an amount with toString', withOptions({ customTotal: { toString: 1, valueOf: 1 } })],
      ['a callbackUrl with toJSON', withOptions({ callbackUrl: { toJSON: 1 } })],
      ['an expiration with toJSON', { ...withOptions({}), expiration: { toJSON: 1 } }],
      ['an email with toString', withOptions({ billingContact: { ...contact, email: { toString: 1 } } })],
      ['an unknown field with toJSON', withOptions({ pluginVersion: { toJSON: 1 } })],
      ['toJSON in the options', withOptions({ toJSON: 1 })],
      ['toJSON in the body', { ...withOptions({}), toJSON: 1 }],
    ])('%s, to /carts', async (_title, body) => {
      expect(await expectRejection('/carts', body)).toContain('Expected no field named');
    });

    it.each<[string, unknown, string]>([
      ['financingProgramId', withOptions({ financingProgramId: 'a\0b' }), 'options.financingProgramId'],
      ['callbackUrl', withOptions({ callbackUrl: 'https://shop.example/a\0b' }), 'options.callbackUrl'],
      ['completeUrl', withOptions({ completeUrl: 'https://shop.example/?q=\0' }), 'options.completeUrl'],
      ['errorUrl', withOptions({ errorUrl: 'https://shop.example/#\0' }), 'options.errorUrl'],
      [
        'the billing e-mail',
        withOptions({ billingContact: { ...contact, email: 'ada\0@example.com' } }),
        'options.billingContact.email',
      ],
      [
        'the shipping e-mail',
        withOptions({ shippingContact: { ...contact, email: 'ada@example.c\0m' } }),
        'options.shippingContact.email',
      ],
      ['createdBy', { ...withOptions({}), createdBy: '\0' }, 'createdBy'],
    ])('a NUL in %s, to /carts', async (_title, body, path) => {
      expect(await expectRejection('/carts', body)).toContain(`At path: ${path} -- `);
    });

    it('a NUL in financingProgramId, to /aslowas', async () => {
      expect(await expectRejection('/aslowas', { customTotal: 50_000, financingProgramId: 'a\0b' })).toContain(
        'At path: financingProgramId -- Expected text without control characters',
      );
    });

    it('a NUL in merchantOrderId, to the actions of a transaction', async () => {
      const path = `/transactions/actions/${transactionId}`;
      expect(await expectRejection(path, { type: 'authorize', merchantOrderId: 'M\0' })).toContain(
        'At path: merchantOrderId -- ',
      );
    });
  });

  it('of a checkout form responds with the form or a client error', async () => {
    const cart = await createCart(merchant);
    for (const name of [...forbiddenNames, '__proto__', 'constructor', 'x']) {
      for (const field of ['firstName', 'disclosureHash', 'offerId']) {
        const response = await postFresh(`${cart.url}/details`, { ...typed, firstName: '', [`${field}[${name}]`]: '1' });
        expect(response).toMatchObject({ status: 422, text: expect.stringContaining('Errors in the form') });
      }
    }
    const deep = await postFresh(`${cart.url}/details`, { ...typed, [`city${'[a]'.repeat(5_000)}`]: '1' });
    expect(deep.status).toBeLessThan(500);
    expect(await open(cart.url)).toMatchObject({ status: 200 });
  });

  it('does not change a transaction', async () => {
    expect((await merchant.get(`/transactions/${transactionId}`)).body).toMatchObject({ status: 'PENDING' });
  });
});
