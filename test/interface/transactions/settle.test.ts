import { describe, expect, it } from 'vitest';
import { chair, completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const authorize = { type: 'authorize' };
const settle = { type: 'settle' };

const service = await startService();
const merchant = await service.createMerchant();

describe('POST /transactions/actions/:tx-id {type: settle}', () => {
  const act = (id: string, action: object) => merchant.post(`/transactions/actions/${id}`, action);

  it('changes an AUTHORIZED transaction to SETTLED and returns the full transaction [STATE-9] [TX-13] [CHOICE-1]', async () => {
    const { id, transaction } = await completeCheckoutAndAct(merchant, [authorize]);
    const response = await act(id, settle);
    expect([response.status, response.body]).toEqual([200, { ...transaction, status: 'SETTLED' }]);
    expect((await merchant.get(`/transactions/${id}`)).body).toEqual(response.body);
  });

  it.each([69_999, 70_001, 75_000])('rejects the amount %i if 70000 cents are left [CHOICE-43]', async (amount) => {
    const { id, transaction } = await completeCheckoutAndAct(merchant, [authorize, { type: 'cancel', amount: 5_000 }]);
    expect(await act(id, { ...settle, amount })).toMatchObject({ status: 500, body: { code: 'amount-mismatch' } });
    expect((await merchant.get(`/transactions/${id}`)).body).toEqual(transaction);
  });

  it('settles the total minus the canceled amount [CHOICE-4] [CLIENT-4] [STATE-8] [STATE-9]', async () => {
    const { transaction } = await completeCheckoutAndAct(merchant, [authorize, { type: 'cancel', amount: 5_000 }, settle]);
    expect(transaction).toMatchObject({ status: 'SETTLED', total: 75_000, adjustedTotal: 70_000 });
    const journal = await service.database.query
      .selectFrom('transaction_entries')
      .select(['type', 'amountCents', 'linesJson'])
      .where('transactionId', '=', transaction.serviceTransactionId)
      .orderBy('sequence')
      .execute();
    expect(journal).toEqual([
      { type: 'created', amountCents: chair.price, linesJson: '[]' },
      { type: 'authorized', amountCents: chair.price, linesJson: '[]' },
      { type: 'canceled', amountCents: 5_000, linesJson: '[]' },
      { type: 'settled', amountCents: 70_000, linesJson: '[]' },
    ]);
  });

  it.each([
    ['PENDING', []],
    ['SETTLED', [authorize, settle]],
    ['CANCELED', [{ type: 'cancel' }]],
    ['REFUNDED', [authorize, settle, { type: 'refund' }]],
  ])(
    'is rejected on a transaction that is %s, and changes nothing [STATE-12] [CHOICE-3] [CHOICE-8] [CLIENT-4]',
    async (status, actions) => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
      expect(transaction.status).toBe(status);
      expect(await act(id, settle)).toMatchObject({ status: 500, body: { code: 'wrong-state' } });
      expect((await merchant.get(`/transactions/${id}`)).body).toEqual(transaction);
    },
  );
});
