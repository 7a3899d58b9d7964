import { describe, expect, it } from 'vitest';
import { completeCheckout, completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { invalidAt } from '../invalid-at.ts';

const authorize = { type: 'authorize' };
const settle = { type: 'settle' };
const active = [
  ['PENDING', []],
  ['AUTHORIZED', [authorize]],
  ['SETTLED', [authorize, settle]],
] as const;
const refunded = ['REFUNDED', [authorize, settle, { type: 'refund' }]] as const;
const ended = [['CANCELED', [{ type: 'cancel' }]], refunded] as const;

const service = await startService();
const merchant = await service.createMerchant();

describe('The data of the merchant in a transaction', () => {
  const put = (path: string, body: object, sender = merchant) => sender.call('PUT', path, { body: JSON.stringify(body) });
  const transactionOf = async (id: string) => (await merchant.get(`/transactions/${id}`)).body;
  const journalOf = async (id: string) => {
    const journal = service.database.query.selectFrom('transaction_entries').select(['type', 'amountCents']);
    return journal.where('transactionId', '=', id).orderBy('sequence').execute();
  };

  describe('PUT /transactions/:tx-id', () => {
    it.each([...active, ...ended])(
      'sets merchantOrderId while it is %s and returns the full transaction [TX-3] [TX-5] [OBJ-9]',
      async (_status, actions) => {
        const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
        const response = await put(`/transactions/${id}`, { merchantOrderId: 'M-7' });
        expect([response.status, response.body]).toEqual([200, { ...transaction, merchantOrderId: 'M-7' }]);
        expect(await transactionOf(id)).toEqual(response.body);
        expect((await journalOf(id)).at(-1)).toEqual({ type: 'order-id-set', amountCents: 0 });
      },
    );

    it('replaces the previous id, or removes it if the new id is empty', async () => {
      const { id } = await completeCheckoutAndAct(merchant, [{ ...authorize, merchantOrderId: 'M-1' }]);
      expect((await put(`/transactions/${id}`, { merchantOrderId: 'M-2' })).body.merchantOrderId).toBe('M-2');
      expect((await put(`/transactions/${id}`, { merchantOrderId: '' })).body.merchantOrderId).toBe('');
    });

    it.each([[{}], [{ merchantOrderId: null }], [{ merchantOrderId: 'M-1' }]])('changes nothing for %j [TX-5]', async (body) => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, [{ ...authorize, merchantOrderId: 'M-1' }]);
      const journal = await journalOf(id);
      expect(await put(`/transactions/${id}`, body)).toMatchObject({ status: 200, body: transaction });
      expect(await journalOf(id)).toEqual(journal);
    });

    it.each(['🪑 7', 'e\u0301', 'a\u2028b', '\ufeffM', '\uffff', 'M\t1', "'; --", '%s', '\\u0000'])(
      'stores %j unchanged',
      async (merchantOrderId) => {
        const { id } = await completeCheckoutAndAct(merchant, []);
        expect((await put(`/transactions/${id}`, { merchantOrderId })).body.merchantOrderId).toBe(merchantOrderId);
        expect((await transactionOf(id)).merchantOrderId).toBe(merchantOrderId);
      },
    );

    it('rejects a lone surrogate', async () => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, []);
      const response = await put(`/transactions/${id}`, { merchantOrderId: 'M\ud83d' });
      expect(response).toMatchObject(invalidAt('merchantOrderId'));
      expect(await transactionOf(id)).toEqual(transaction);
    });

    it('changes nothing else, and ignores other fields [TX-4]', async () => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, []);
      const extra = { status: 'SETTLED', total: 1, adjustedTotal: 1, trackingNumber: 'T', merchantId: 'x' };
      const response = await put(`/transactions/${id}`, { merchantOrderId: 'M-7', ...extra });
      expect(response.body).toEqual({ ...transaction, merchantOrderId: 'M-7' });
    });
  });

  describe('POST /transactions/:tx-id/shipment', () => {
    const shipped = { trackingNumber: '1Z999AA10123456784', carrierName: 'Royal Post' };

    it.each([...active, refunded])(
      'is accepted while the transaction is %s and returns the full transaction [TX-19] [TX-20] [CHOICE-1] [CLIENT-7] [OBJ-16] [OBJ-17]',
      async (_status, actions) => {
        const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
        const response = await merchant.post(`/transactions/${id}/shipment`, shipped);
        expect([response.status, response.body]).toEqual([200, { ...transaction, ...shipped }]);
        expect(await transactionOf(id)).toEqual(response.body);
        expect((await journalOf(id)).at(-1)).toEqual({ type: 'shipped', amountCents: 0 });
      },
    );

    it('replaces the fields of the request and keeps the others [TX-19] [TX-20]', async () => {
      const id = await completeCheckout(merchant);
      const post = async (body: object) => {
        const { trackingNumber, carrierName } = (await merchant.post(`/transactions/${id}/shipment`, body)).body;
        return [trackingNumber, carrierName];
      };
      expect(await post({ carrierName: 'Royal Post' })).toEqual(['', 'Royal Post']);
      expect(await post({ trackingNumber: 'T-1', carrierName: null })).toEqual(['T-1', 'Royal Post']);
      expect(await post({ trackingNumber: 'T-2' })).toEqual(['T-2', 'Royal Post']);
      expect(await post({})).toEqual(['T-2', 'Royal Post']);
      expect(await post({ trackingNumber: 'T-2', carrierName: 'Royal Post' })).toEqual(['T-2', 'Royal Post']);
      expect((await journalOf(id)).map(({ type }) => type)).toEqual(['created', 'shipped', 'shipped', 'shipped']);
    });

    it('accepts an integer as tracking number and as the name of a carrier, and returns text [OBJ-16] [OBJ-17] [TX-19] [TX-20]', async () => {
      const id = await completeCheckout(merchant);
      // As bytes, because the OpenAPI document allows only text.
      const body = Buffer.from('{"trackingNumber":94001118992,"carrierName":7}');
      const response = await merchant.call('POST', `/transactions/${id}/shipment`, { body });
      expect(response).toMatchObject({ status: 200, body: { trackingNumber: '94001118992', carrierName: '7' } });
      expect(await transactionOf(id)).toEqual(response.body);
    });

    it('is rejected if the transaction is CANCELED, and changes nothing [STATE-12]', async () => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, [{ type: 'cancel' }]);
      const response = await merchant.post(`/transactions/${id}/shipment`, shipped);
      expect(response).toMatchObject({ status: 500, body: { code: 'wrong-state' } });
      expect(await transactionOf(id)).toEqual(transaction);
    });
  });
});
