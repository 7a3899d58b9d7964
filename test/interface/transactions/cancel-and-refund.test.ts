import { describe, expect, it } from 'vitest';
import { completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const item = (sku: string, price: number, quantity: number) => ({ sku, price, quantity, imageUrl: '', detailUrl: '' });

/** The order of the example in server/docs/merchant-api.md, with a total of $124.05. */
const order = {
  items: [item('CHAIR', 3_333, 3), item('LAMP', 2_001, 1)],
  discounts: [{ amount: 1_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
  tax: 905,
};
const units = (counts: Record<string, number>) => Object.entries(counts).map(([sku, quantity]) => ({ sku, quantity }));
const authorize = { type: 'authorize' };
const settle = { type: 'settle' };

/** Cancel and refund have the same rules in different states. */
const adjustments = [
  {
    type: 'cancel',
    verb: 'cancels before authorization',
    before: [],
    status: 'PENDING',
    end: 'CANCELED',
    column: 'canceledCents',
  },
  { type: 'cancel', verb: 'cancels', before: [authorize], status: 'AUTHORIZED', end: 'CANCELED', column: 'canceledCents' },
  { type: 'refund', verb: 'refunds', before: [authorize, settle], status: 'SETTLED', end: 'REFUNDED', column: 'refundedCents' },
] as const;

/** The transaction with a loan that was recalculated. test/interface/transactions/fields.test.ts has the figures. */
const recalculated = <T extends { financing: object | null }>(transaction: T) => ({
  ...transaction,
  financing: { ...transaction.financing, current: expect.any(Object) },
});

const service = await startService();
const merchant = await service.createMerchant();

describe('POST /transactions/actions/:tx-id {type: cancel | refund}', () => {
  const act = (id: string, action: object) => merchant.post(`/transactions/actions/${id}`, action);
  const transactionOf = async (id: string) => (await merchant.get(`/transactions/${id}`)).body;
  const journalOf = async (id: string) => {
    const rows = await service.database.query
      .selectFrom('transaction_entries')
      .select(['sequence', 'type', 'amountCents', 'linesJson'])
      .where('transactionId', '=', id)
      .orderBy('sequence')
      .execute();
    return rows.map(({ sequence, type, amountCents, linesJson }) => [sequence, type, amountCents, JSON.parse(linesJson)]);
  };

  describe.each(adjustments)('$verb', ({ type, before, status, end }) => {
    const start = () => completeCheckoutAndAct(merchant, before, order);

    it.each<[string, object]>([
      ['the request has no fields', {}],
      ['the amount is the total', { amount: 12_405 }],
      ['the request has all line items', { lineItems: units({ CHAIR: 3, LAMP: 1 }) }],
    ])(
      `everything if %s, and the transaction is ${end} [STATE-5] [STATE-6] [STATE-11] [CHOICE-6] [TX-14] [TX-16] [OBJ-14]`,
      async (_title, request) => {
        const { id, transaction } = await start();
        const response = await act(id, { type, ...request });
        expect([response.status, response.body]).toEqual([200, { ...recalculated(transaction), status: end, adjustedTotal: 0 }]);
        expect(await transactionOf(id)).toEqual(response.body);
      },
    );

    it('a part, and the status remains until the whole total is adjusted [CHOICE-4] [CHOICE-5] [CLIENT-8] [OBJ-13] [OBJ-14]', async () => {
      const { id, transaction } = await start();
      const part = await act(id, { type, amount: 2_405 });
      expect([part.status, part.body]).toEqual([200, { ...recalculated(transaction), adjustedTotal: 10_000 }]);
      expect(part.body.status).toBe(status);
      expect((await act(id, { type, amount: 9_999 })).body).toMatchObject({ status, total: 12_405, adjustedTotal: 1 });
      expect((await act(id, { type, amount: 1 })).body).toMatchObject({ status: end, total: 12_405, adjustedTotal: 0 });
    });

    it('line items at their value, and the whole remainder with the last one [TX-15] [TX-17]', async () => {
      const { id } = await start();
      const lines = [[{ sku: 'CHAIR', quantity: 1 }], [{ sku: 'LAMP', quantity: 1 }], [{ sku: 'CHAIR', quantity: 2 }]];
      const remaining = [];
      for (const lineItems of lines) remaining.push((await act(id, { type, lineItems })).body.adjustedTotal);
      expect(remaining).toEqual([9_098, 7_113, 0]);
      expect((await transactionOf(id)).status).toBe(end);
      const event = type === 'cancel' ? 'canceled' : 'refunded';
      const first = before.length + 2;
      expect((await journalOf(id)).slice(first - 1)).toEqual([
        [first, event, 3_307, lines[0]],
        [first + 1, event, 1_985, lines[1]],
        [first + 2, event, 7_113, lines[2]],
      ]);
    });

    it('an amount with line items by the amount, and records the quantities [CHOICE-7]', async () => {
      const { id } = await start();
      const response = await act(id, { type, amount: 100, lineItems: [{ sku: 'CHAIR', quantity: 3 }] });
      expect(response.body).toMatchObject({ status, adjustedTotal: 12_305 });
      expect(await act(id, { type, lineItems: [{ sku: 'CHAIR', quantity: 1 }] })).toMatchObject({
        status: 500,
        body: { code: 'quantity-too-large' },
      });
      // A cancel of the last unit cancels what remains. A refund does not return the rest of the value of the chairs.
      const after = type === 'cancel' ? { status: end, adjustedTotal: 0 } : { status, adjustedTotal: 9_920 - 100 };
      expect((await act(id, { type, lineItems: [{ sku: 'LAMP', quantity: 1 }] })).body).toMatchObject(after);
      expect((await act(id, { type, amount: after.adjustedTotal || 1 })).status).toBe(type === 'cancel' ? 500 : 200);
      expect(await transactionOf(id)).toMatchObject({ status: end, adjustedTotal: 0 });
    });

    it.each<[string, object, string]>([
      ['a cent more than the remainder', { amount: 12_406 }, 'amount-too-large'],
      ['a sku of another order', { lineItems: units({ DESK: 1 }) }, 'quantity-too-large'],
      ['a unit more than the remaining quantity', { lineItems: units({ LAMP: 1, CHAIR: 4 }) }, 'quantity-too-large'],
    ])('not %s [CHOICE-7] [CHOICE-8] [LIM-2] [LIM-3]', async (_title, request, code) => {
      const { id, transaction } = await start();
      const journal = await journalOf(id);
      expect(await act(id, { type, ...request })).toMatchObject({ status: 500, body: { code } });
      expect(await transactionOf(id)).toEqual(transaction);
      expect(await journalOf(id)).toEqual(journal);
    });
  });

  it('refunds everything if the amount is 0 [STATE-11] [CHOICE-6] [TX-16]', async () => {
    const { id, transaction } = await completeCheckoutAndAct(merchant, [authorize, settle], order);
    const response = await act(id, { type: 'refund', amount: 0 });
    expect([response.status, response.body]).toEqual([
      200,
      { ...recalculated(transaction), status: 'REFUNDED', adjustedTotal: 0 },
    ]);
  });

  it('cancels nothing if the amount is 0, or if another field has a number or a list [CHOICE-6] [CHOICE-42] [TX-14]', async () => {
    const { id, transaction } = await completeCheckoutAndAct(merchant, [authorize], order);
    for (const request of [{ amount: 0 }, { value: 100 }, { skus: ['CHAIR'] }, { amount: 0, lineItems: [] }]) {
      expect(await act(id, { type: 'cancel', ...request })).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    }
    expect(await transactionOf(id)).toEqual(transaction);
  });

  it('refunds at most the settled amount after a partial cancel [LIM-3] [STATE-8]', async () => {
    const { id, transaction } = await completeCheckoutAndAct(
      merchant,
      [authorize, { type: 'cancel', lineItems: [{ sku: 'CHAIR', quantity: 2 }] }, settle],
      order,
    );
    expect(transaction).toMatchObject({ status: 'SETTLED', adjustedTotal: 12_405 - 6_614 });
    expect(await act(id, { type: 'refund', lineItems: units({ CHAIR: 2 }) })).toMatchObject({
      status: 500,
      body: { code: 'quantity-too-large' },
    });
    expect((await act(id, { type: 'refund', lineItems: [{ sku: 'CHAIR', quantity: 1 }] })).body.adjustedTotal).toBe(
      5_791 - 3_306,
    );
    expect((await act(id, { type: 'refund' })).body).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('prevents authorize from replacing line items after one was canceled', async () => {
    const { id, transaction } = await completeCheckoutAndAct(
      merchant,
      [{ type: 'cancel', lineItems: [{ sku: 'LAMP', quantity: 1 }] }],
      order,
    );
    const desk = { price: 9_920, quantity: 1, product: { name: 'Desk', sku: 'DESK', imageUrl: '', detailUrl: '' } };
    const rejected = await act(id, { ...authorize, lineItems: [desk] });
    expect(rejected).toMatchObject({ status: 500, body: { code: 'line-items-in-use' } });
    expect(await transactionOf(id)).toEqual(transaction);
    expect((await act(id, { ...authorize, lineItems: transaction.lineItems })).body).toEqual({
      ...transaction,
      status: 'AUTHORIZED',
    });
  });

  it.each([
    ['cancel', 'SETTLED', [authorize, settle]],
    ['cancel', 'CANCELED', [{ type: 'cancel' }]],
    ['cancel', 'REFUNDED', [authorize, settle, { type: 'refund' }]],
    ['refund', 'PENDING', []],
    ['refund', 'AUTHORIZED', [authorize]],
    ['refund', 'CANCELED', [authorize, { type: 'cancel' }]],
    ['refund', 'REFUNDED', [authorize, settle, { type: 'refund' }]],
  ])(
    '%s is rejected on a transaction that is %s, and changes nothing [STATE-7] [STATE-10] [STATE-12] [CHOICE-8]',
    async (type, _status, actions) => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
      for (const request of [{}, { amount: 1 }, { lineItems: [{ sku: 'CHAIR-1', quantity: 1 }] }]) {
        expect(await act(id, { type, ...request })).toMatchObject({ status: 500, body: { code: 'wrong-state' } });
      }
      expect(await transactionOf(id)).toEqual(transaction);
    },
  );
});
