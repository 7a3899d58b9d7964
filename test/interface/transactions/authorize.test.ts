import { beforeAll, describe, expect, it } from 'vitest';
import { chair, completeCheckout } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';

const types = '`"authorize","settle","cancel","refund"`';

describe('POST /transactions/actions/:tx-id {type: authorize}', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });

  it('changes a PENDING transaction to AUTHORIZED and returns the complete transaction [STATE-2] [STATE-3] [STATE-4] [TX-6] [TX-12] [CHOICE-1] [OBJ-9]', async () => {
    const transactionId = await completeCheckout(merchant);
    const before = await merchant.get(`/transactions/${transactionId}`);
    const response = await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize', merchantOrderId: 'M-1' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...before.body, status: 'AUTHORIZED', merchantOrderId: 'M-1' });
    expect(await merchant.get(`/transactions/${transactionId}`)).toMatchObject({ status: 200, body: response.body });
  });

  it('stores the line items of the request [TX-8] [TX-9] [TX-10] [TX-11]', async () => {
    const transactionId = await completeCheckout(merchant, { items: undefined, customTotal: 60_000 });
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

  it('stores URLs of other schemes than http and https as empty strings', async () => {
    const transactionId = await completeCheckout(merchant);
    const product = { name: 'Desk', sku: 'DESK', imageUrl: 'data:image/png;base64,AA', detailUrl: 'javascript:alert(1)' };
    const lineItems = [{ price: chair.price, quantity: 1, product }];
    const { body } = await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize', lineItems });
    expect(body.lineItems).toMatchObject([{ product: { name: 'Desk', imageUrl: '', detailUrl: '' } }]);
  });

  it('accepts the amount that is left, as a check [CHOICE-43]', async () => {
    const transactionId = await completeCheckout(merchant);
    await merchant.post(`/transactions/actions/${transactionId}`, { type: 'cancel', amount: 5_000 });
    const response = await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize', amount: 70_000 });
    expect(response).toMatchObject({ status: 200, body: { status: 'AUTHORIZED', adjustedTotal: 70_000 } });
  });

  it.each([69_999, 70_001, 75_000])('rejects the amount %i if 70000 cents are left [CHOICE-43]', async (amount) => {
    const transactionId = await completeCheckout(merchant);
    const { body: before } = await merchant.post(`/transactions/actions/${transactionId}`, { type: 'cancel', amount: 5_000 });
    const request = { type: 'authorize', amount, merchantOrderId: 'M-1' };
    const response = await merchant.post(`/transactions/actions/${transactionId}`, request);
    const description = `Cannot authorize ${amount} cents: 70000 are left. Omit \`amount\`, or cancel what you do not need first.`;
    expect([response.status, response.body]).toEqual([
      500,
      { description, error: true, type: 'INTERNAL_ERROR', code: 'amount-mismatch' },
    ]);
    expect((await merchant.get(`/transactions/${transactionId}`)).body).toEqual(before);
  });

  it('records every change in the journal', async () => {
    const transactionId = await completeCheckout(merchant);
    await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
    const journal = await service.database.query
      .selectFrom('transaction_events')
      .select(['sequence', 'type', 'amountCents'])
      .where('transactionId', '=', transactionId)
      .orderBy('sequence')
      .execute();
    expect(journal).toEqual([
      { sequence: 1, type: 'created', amountCents: chair.price },
      { sequence: 2, type: 'authorized', amountCents: chair.price },
    ]);
  });

  it('rejects a transaction that is not PENDING [STATE-2] [CHOICE-8] [ERR-3]', async () => {
    const transactionId = await completeCheckout(merchant);
    await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
    const response = await merchant.post(`/transactions/actions/${transactionId}`, {
      type: 'authorize',
      merchantOrderId: 'M-2',
    });
    expect(response).toMatchObject({ status: 500, body: { error: true, type: 'INTERNAL_ERROR', code: 'wrong-state' } });
    expect((await merchant.get(`/transactions/${transactionId}`)).body.merchantOrderId).toBe('');
  });

  it.each<[string, unknown, string]>([
    ['no type', {}, `At path: type -- Expected one of ${types}, but received: undefined`],
    ['an unknown type', { type: 'explode' }, `At path: type -- Expected one of ${types}, but received: "explode"`],
    ['a property of every object as type', { type: 'constructor' }, 'At path: type'],
    ['line items that are not an array', { type: 'authorize', lineItems: 'x' }, 'At path: lineItems -- Expected an array value'],
    ['a negative price', { type: 'authorize', lineItems: [{ price: -1 }] }, 'At path: lineItems.0.price'],
    [
      'an order id that is not a string',
      { type: 'authorize', merchantOrderId: 7 },
      'At path: merchantOrderId -- Expected a string, but received: 7',
    ],
    ['malformed JSON', '{', 'The body could not be read'],
  ])('rejects %s with 400 [TX-7]', async (_title, request, description) => {
    const transactionId = await completeCheckout(merchant);
    const response = await merchant.post(`/transactions/actions/${transactionId}`, request);
    expect(response).toMatchObject({ status: 400, body: { error: true, type: 'INTERNAL_ERROR' } });
    expect(response.body.description).toContain(description);
  });
});
