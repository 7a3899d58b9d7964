import { describe, expect, it } from 'vitest';
import { chair, completeCheckout } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('POST /transactions/actions/:tx-id {type: authorize}', () => {
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
    expect(response).toMatchObject({ status: 500, body: { code: 'amount-mismatch' } });
    expect((await merchant.get(`/transactions/${transactionId}`)).body).toEqual(before);
  });

  it('rejects a transaction that is not PENDING [STATE-2] [CHOICE-8] [ERR-3]', async () => {
    const transactionId = await completeCheckout(merchant);
    await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
    const response = await merchant.post(`/transactions/actions/${transactionId}`, {
      type: 'authorize',
      merchantOrderId: 'M-2',
    });
    expect(response).toMatchObject({ status: 500, body: { code: 'wrong-state' } });
    expect((await merchant.get(`/transactions/${transactionId}`)).body.merchantOrderId).toBe('');
  });
});
