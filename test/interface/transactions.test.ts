import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEveryEngine } from '../support/engines.ts';
import { chair, givenTransaction } from '../support/given.ts';
import { givenService, type TestMerchant, type TestService } from '../support/service.ts';

const invalidId = { description: 'Transaction ID was invalid', error: true, type: 'INTERNAL_ERROR' };
const unknownIds = ['unknown', '00000000-0000-7000-8000-000000000000', '%00', "' or 1=1 --", 'A'.repeat(2_000)];

describeOnEveryEngine('Transactions', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await givenService(engine);
    merchant = await service.givenMerchant();
  });

  describe('GET /transactions/:tx-id', () => {
    it('answers the whole transaction, PENDING after checkout', async () => {
      const grace = {
        fullName: 'Grace Brewster Hopper',
        address: '1 Compiler Road',
        address2: 'Apt 2',
        city: 'Arlington',
        state: 'VA',
        zip: '22201',
        email: 'grace@example.com',
        phone: '5550100200',
      };
      const transactionId = await givenTransaction(merchant, {
        discounts: [{ amount: 1_000, description: 'Welcome' }],
        shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
        tax: 250,
        billingContact: grace,
      });
      const { status, body } = await merchant.get(`/transactions/${transactionId}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        serviceTransactionId: transactionId,
        status: 'PENDING',
        createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/),
        merchantOrderId: '',
        total: 74_750,
        adjustedTotal: 74_750,
        totalTax: 250,
        shippingCost: 500,
        shippingMethodCode: 'ground',
        shippingMethodName: 'Ground',
        trackingNumber: '',
        carrierName: '',
        lineItems: [
          {
            id: '1',
            sku: 'CHAIR-1',
            price: 75_000,
            quantity: 1,
            product: { name: 'Chair', sku: 'CHAIR-1', imageUrl: '', detailUrl: '' },
          },
        ],
        discounts: [{ amount: 1_000, description: 'Welcome' }],
        billingContact: grace,
        shippingContact: grace,
      });
    });

    it('has empty lists and null where a flat-cost cart says nothing', async () => {
      const transactionId = await givenTransaction(merchant, { items: undefined, customTotal: 60_000 });
      const { body } = await merchant.get(`/transactions/${transactionId}`);
      expect(body).toMatchObject({
        total: 60_000,
        lineItems: [],
        discounts: [],
        totalTax: null,
        shippingCost: 0,
        shippingMethodCode: '',
      });
      expect(body).not.toHaveProperty('error');
    });

    it.each(unknownIds)('answers 500 and exactly the documented body to the id %s', async (id) => {
      const answer = await merchant.get(`/transactions/${encodeURIComponent(id)}`);
      expect([answer.status, answer.body]).toEqual([500, invalidId]);
    });

    it('answers to the id of another merchant what it answers to an unknown one', async () => {
      const foreign = await givenTransaction(await service.givenMerchant());
      const answer = await merchant.get(`/transactions/${foreign}`);
      expect([answer.status, answer.body]).toEqual([500, invalidId]);
    });
  });

  describe('POST /transactions/actions/:tx-id {type: authorize}', () => {
    it('makes a PENDING transaction AUTHORIZED and answers it whole', async () => {
      const transactionId = await givenTransaction(merchant);
      const before = await merchant.get(`/transactions/${transactionId}`);
      const answer = await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize', merchantOrderId: 'M-1' });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...before.body, status: 'AUTHORIZED', merchantOrderId: 'M-1' });
      expect(await merchant.get(`/transactions/${transactionId}`)).toMatchObject({ status: 200, body: answer.body });
    });

    it('associates the line items it is given', async () => {
      const transactionId = await givenTransaction(merchant, { items: undefined, customTotal: 60_000 });
      const product = {
        name: 'Desk',
        sku: 'DESK',
        imageUrl: 'https://shop.example/desk.png',
        detailUrl: 'https://shop.example/desk',
      };
      const { body } = await merchant.post(`/transactions/actions/${transactionId}`, {
        type: 'authorize',
        lineItems: [{ price: 60_000, quantity: 1, product }],
      });
      expect(body.lineItems).toEqual([{ id: '1', sku: 'DESK', price: 60_000, quantity: 1, product }]);
    });

    it('writes every change into the journal', async () => {
      const transactionId = await givenTransaction(merchant);
      await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
      const journal = await service.database.query
        .selectFrom('transaction_events')
        .select(['sequence', 'type', 'amount_cents'])
        .where('transaction_id', '=', transactionId)
        .orderBy('sequence')
        .execute();
      expect(journal).toEqual([
        { sequence: 1, type: 'created', amount_cents: chair.price },
        { sequence: 2, type: 'authorized', amount_cents: chair.price },
      ]);
    });

    it('is refused on a transaction that is not PENDING', async () => {
      const transactionId = await givenTransaction(merchant);
      await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
      const answer = await merchant.post(`/transactions/actions/${transactionId}`, {
        type: 'authorize',
        merchantOrderId: 'late',
      });
      expect(answer).toMatchObject({ status: 500, body: { error: true, type: 'INTERNAL_ERROR', code: 'wrong-state' } });
      expect((await merchant.get(`/transactions/${transactionId}`)).body.merchantOrderId).toBe('');
    });

    it('succeeds once when it arrives eight times at the same moment', async () => {
      const transactionId = await givenTransaction(merchant);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 500, 500, 500, 500, 500, 500, 500]);
    });

    it.each(unknownIds)('answers 500 and exactly the documented body to the id %s', async (id) => {
      const answer = await merchant.post(`/transactions/actions/${encodeURIComponent(id)}`, { type: 'authorize' });
      expect([answer.status, answer.body]).toEqual([500, invalidId]);
    });

    it('cannot be done to the transaction of another merchant', async () => {
      const other = await service.givenMerchant();
      const foreign = await givenTransaction(other);
      const answer = await merchant.post(`/transactions/actions/${foreign}`, { type: 'authorize' });
      expect([answer.status, answer.body]).toEqual([500, invalidId]);
      expect((await other.get(`/transactions/${foreign}`)).body.status).toBe('PENDING');
    });

    it.each<[string, unknown, string]>([
      ['no type', {}, 'At path: type -- Expected one of `"authorize"`, but received: undefined'],
      ['an unknown type', { type: 'explode' }, 'At path: type -- Expected one of `"authorize"`, but received: "explode"'],
      ['a type that is a property of every object', { type: 'constructor' }, 'At path: type'],
      ['line items that are none', { type: 'authorize', lineItems: 'x' }, 'At path: lineItems -- Expected an array value'],
      ['a negative price', { type: 'authorize', lineItems: [{ price: -1 }] }, 'At path: lineItems.0.price'],
      [
        'an order id that is no text',
        { type: 'authorize', merchantOrderId: 7 },
        'At path: merchantOrderId -- Expected a string, but received: 7',
      ],
      ['malformed JSON', '{', 'The body could not be read'],
    ])('refuses %s with 400', async (_what, request, description) => {
      const transactionId = await givenTransaction(merchant);
      const answer = await merchant.post(`/transactions/actions/${transactionId}`, request);
      expect(answer).toMatchObject({ status: 400, body: { error: true, type: 'INTERNAL_ERROR' } });
      expect(answer.body.description).toContain(description);
    });
  });

  it('answers 404 in the error body where there is nothing, and 405 where another method is needed', async () => {
    expect(await merchant.get('/transactions/a/b/c')).toMatchObject({ status: 404, body: { error: true, code: 'unknown-path' } });
    expect(await merchant.get('/aslowas')).toMatchObject({ status: 405, body: { error: true, code: 'method-not-allowed' } });
  });

  it('tells every answer apart by a request id', async () => {
    const [first, second] = [await merchant.get('/transactions/x'), await merchant.get('/transactions/x')];
    expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  });
});
