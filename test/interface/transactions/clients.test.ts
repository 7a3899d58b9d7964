/** Requests of production clients, and the responses that they rely on. */
import { assert } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { Transaction } from '../../../shared/wire/transaction.ts';
import { createCart, completeCheckout, completeCheckoutAndAct } from '../../support/checkout.ts';
import { type ApiResponse, startService } from '../../support/service.ts';

const authorize = { type: 'authorize' };
const settle = { type: 'settle' };

const service = await startService();
const merchant = await service.createMerchant();

describe('For production clients,', () => {
  const act = (id: string, action: object) => merchant.post(`/transactions/actions/${id}`, action);
  const put = (id: string, body: object) => merchant.call('PUT', `/transactions/${id}`, { body: JSON.stringify(body) });
  const retrieve = (id: string) => merchant.get(`/transactions/${id}`);

  /** Returns every successful response in the life of a transaction, with the expected status. */
  const lifecycleOf = async (id: string): Promise<[string, ApiResponse][]> => [
    ['PENDING', await retrieve(id)],
    ['PENDING', await put(id, { merchantOrderId: 'M-1' })],
    ['AUTHORIZED', await act(id, authorize)],
    ['AUTHORIZED', await act(id, { type: 'cancel', amount: 100 })],
    ['AUTHORIZED', await merchant.post(`/transactions/${id}/shipment`, { carrierName: 'Post' })],
    ['SETTLED', await act(id, settle)],
    ['SETTLED', await act(id, { type: 'refund', amount: 100 })],
    ['REFUNDED', await act(id, { type: 'refund' })],
  ];

  it('every action and shipment returns exactly 200 with the full transaction and its exact status [CLIENT-1] [CHOICE-1] [ERR-1] [OBJ-12] [SVC-5]', async () => {
    const id = await completeCheckout(merchant);
    for (const [status, response] of await lifecycleOf(id)) {
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      assert(response.body, Transaction);
      expect(response.body).toMatchObject({ serviceTransactionId: id, status });
    }
    const { transaction } = await completeCheckoutAndAct(merchant, [{ type: 'cancel' }]);
    expect(transaction.status).toBe('CANCELED');
  });

  it.each([
    ['a cart with items', {}],
    ['a cart with a custom total', { items: undefined, customTotal: 60_000 }],
  ])(
    'every field that they read is present, lists are never null, and a name has several words: %s [CLIENT-2] [CHOICE-28] [OBJ-15]',
    async (_title, options) => {
      for (const [, { body }] of await lifecycleOf(await completeCheckout(merchant, options))) {
        expect(Object.keys(body)).toEqual(
          expect.arrayContaining('serviceTransactionId adjustedTotal total totalTax shippingCost merchantOrderId'.split(' ')),
        );
        expect([Array.isArray(body.lineItems), Array.isArray(body.discounts), body.totalTax]).toEqual([true, true, null]);
        for (const contact of [body.billingContact, body.shippingContact]) {
          expect(Object.keys(contact)).toEqual(
            expect.arrayContaining(['fullName', 'address', 'address2', 'city', 'state', 'zip', 'email', 'phone']),
          );
          expect(contact.fullName.split(' ').length).toBeGreaterThan(1);
        }
      }
    },
  );

  it('no successful response has a key named error, at any depth [CLIENT-3] [CHOICE-2]', async () => {
    for (const [, { text }] of await lifecycleOf(await completeCheckout(merchant))) expect(text).not.toContain('"error"');
  });

  it('the error of a declined card contains the documented description, and the PENDING transaction can be canceled [CLIENT-5] [CHOICE-37] [ERR-10] [ERR-11]', async () => {
    const { id: cartId } = await createCart(merchant);
    const { body } = await merchant.post('/sandbox/checkouts', { cartId, outcome: 'remainder-declined' });
    const id: string = body.transactionId;
    for (let count = 0; count < 2; count++) {
      const response = await act(id, { ...authorize, merchantOrderId: 'M-1' });
      expect(response).toMatchObject({ status: 500, body: { error: true, type: 'INTERNAL_ERROR', code: 'card-declined' } });
      expect(response.body.description).toContain("There's an issue with authorizing the credit card portion");
      expect(response.body.description).toContain('1-3 business days');
      expect((await retrieve(id)).body).toMatchObject({ status: 'PENDING', merchantOrderId: '' });
    }
    expect(await act(id, { type: 'cancel' })).toMatchObject({ status: 200, body: { status: 'CANCELED', adjustedTotal: 0 } });
  });

  it.each([
    ['before settle', [authorize], settle],
    ['after settle', [authorize, settle], { type: 'refund', amount: 1 }],
  ])('a shipment is accepted %s, and remains after later actions [CLIENT-7]', async (_title, before, after) => {
    const { id } = await completeCheckoutAndAct(merchant, before);
    const shipment = { trackingNumber: '9400 1000', carrierName: 'Post' };
    expect(await merchant.post(`/transactions/${id}/shipment`, shipment)).toMatchObject({ status: 200, body: shipment });
    expect(await act(id, after)).toMatchObject({ status: 200, body: shipment });
  });

  describe('JSON is parsed', () => {
    it.each([
      'application/x-www-form-urlencoded',
      'text/plain;charset=UTF-8',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
    ])('with the content type %s [CLIENT-21] [CHOICE-21]', async (contentType) => {
      const id = await completeCheckout(merchant);
      const headers = { 'content-type': contentType };
      const call = (method: string, path: string, body: object) =>
        merchant.call(method, path, { headers, body: JSON.stringify(body) });
      expect((await call('PUT', `/transactions/${id}`, { merchantOrderId: 'M-1' })).body).toMatchObject({
        merchantOrderId: 'M-1',
      });
      expect((await call('POST', `/transactions/actions/${id}`, authorize)).body).toMatchObject({ status: 'AUTHORIZED' });
      expect((await call('POST', `/transactions/${id}/shipment`, { carrierName: 'Post' })).body).toMatchObject({
        carrierName: 'Post',
      });
    });

    it('without unknown fields [CLIENT-11] [CHOICE-18]', async () => {
      const id = await completeCheckout(merchant);
      const extra = { url: '', createdAt: '0001-01-01T00:00:00Z', total: '12', cartOrigin: 7 };
      expect(await act(id, { ...authorize, ...extra })).toMatchObject({ status: 200, body: { status: 'AUTHORIZED' } });
      expect(await act(id, { ...settle, ...extra })).toMatchObject({ status: 200, body: { status: 'SETTLED' } });
    });
  });
});
