import { beforeAll, describe, expect, it } from 'vitest';
import { completeCheckout } from '../../support/checkout.ts';
import { uuid } from '../carts/ids.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { invalidId, unknownIds } from './invalid-ids.ts';

describe('Retrieving a transaction', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });

  describe('GET /transactions/:tx-id', () => {
    it('returns the full transaction, PENDING after checkout [TX-1] [STATE-1] [TX-18]', async () => {
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
      const transactionId = await completeCheckout(merchant, {
        orderRef: 'O-1',
        discounts: [{ amount: 1_000, description: 'Welcome' }],
        shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
        tax: 250,
        billingContact: grace,
      });
      const { status, body } = await merchant.get(`/transactions/${transactionId}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        serviceTransactionId: transactionId,
        cartId: expect.stringMatching(uuid),
        status: 'PENDING',
        createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/),
        orderRef: 'O-1',
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
        financing: {
          amount: 74_750,
          termLength: 24,
          termInterval: 'Month',
          monthly: 3_449,
          apr: 0.0999,
          firstPaymentDue: expect.any(String),
          loanNumber: null,
          current: null,
        },
        card: null,
      });
    });

    it('has empty lists and null for the missing fields of a flat-cost cart [CHOICE-28] [OBJ-15]', async () => {
      const transactionId = await completeCheckout(merchant, { items: undefined, customTotal: 60_000 });
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

    it.each(unknownIds)('returns 500 and exactly the documented body for the id %s [TX-2] [ERR-3] [ERR-9]', async (id) => {
      const response = await merchant.get(`/transactions/${encodeURIComponent(id)}`);
      expect([response.status, response.body]).toEqual([500, invalidId]);
    });

    it('responds to another merchant’s id as to an unknown id [TX-21] [CHOICE-9]', async () => {
      const foreign = await completeCheckout(await service.createMerchant());
      const response = await merchant.get(`/transactions/${foreign}`);
      expect([response.status, response.body]).toEqual([500, invalidId]);
    });
  });

  it('responds 404 to unknown paths and 405 to unsupported methods, with the error body', async () => {
    expect(await merchant.get('/transactions/a/b/c')).toMatchObject({ status: 404, body: { error: true, code: 'unknown-path' } });
    expect(await merchant.get('/aslowas')).toMatchObject({ status: 405, body: { error: true, code: 'method-not-allowed' } });
  });

  it('gives every response its own request id', async () => {
    const first = await merchant.get('/transactions/x');
    const second = await merchant.get('/transactions/x');
    expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  });
});
