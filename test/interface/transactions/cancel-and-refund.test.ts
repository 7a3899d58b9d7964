import { beforeAll, describe, expect, it } from 'vitest';
import { completeCheckout, completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { invalidId, unknownIds } from './invalid-ids.ts';

const article = (sku: string, price: number, quantity: number) => ({ sku, price, quantity, imageUrl: '', detailUrl: '' });

/** The order of the example in docs/merchant-api.md, over $124.05. */
const order = {
  items: [article('CHAIR', 3_333, 3), article('LAMP', 2_001, 1)],
  discounts: [{ amount: 1_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
  tax: 905,
};
const [authorize, settle] = [{ type: 'authorize' }, { type: 'settle' }];

/** Both work alike, from different states to different ends. */
const kinds = [
  {
    type: 'cancel',
    verb: 'cancels before authorization',
    before: [],
    status: 'PENDING',
    end: 'CANCELED',
    column: 'canceled_cents',
  },
  { type: 'cancel', verb: 'cancels', before: [authorize], status: 'AUTHORIZED', end: 'CANCELED', column: 'canceled_cents' },
  { type: 'refund', verb: 'refunds', before: [authorize, settle], status: 'SETTLED', end: 'REFUNDED', column: 'refunded_cents' },
] as const;

describe('POST /transactions/actions/:tx-id {type: cancel | refund}', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const act = (id: string, action: object) => merchant.post(`/transactions/actions/${id}`, action);
  const transactionOf = async (id: string) => (await merchant.get(`/transactions/${id}`)).body;
  const journalOf = async (id: string) => {
    const rows = await service.database.query
      .selectFrom('transaction_events')
      .select(['sequence', 'type', 'amount_cents', 'lines_json'])
      .where('transaction_id', '=', id)
      .orderBy('sequence')
      .execute();
    return rows.map(({ sequence, type, amount_cents, lines_json }) => [sequence, type, amount_cents, JSON.parse(lines_json)]);
  };

  describe.each(kinds)('$verb', ({ type, before, status, end, column }) => {
    const given = () => completeCheckoutAndAct(merchant, before, order);

    it.each<[string, object]>([
      ['nothing is said', {}],
      ['the amount is 0', { amount: 0 }],
      ['the lines are null', { lineItems: null }],
      ['no lines are in the list', { amount: 0, lineItems: [] }],
      ['the amount is all there is', { amount: 12_405 }],
      [
        'all lines are named',
        {
          lineItems: [
            { sku: 'CHAIR', quantity: 3 },
            { sku: 'LAMP', quantity: 1 },
          ],
        },
      ],
      [
        'amount and lines are all there is',
        {
          amount: 12_405,
          lineItems: [
            { sku: 'CHAIR', quantity: 3 },
            { sku: 'LAMP', quantity: 1 },
          ],
        },
      ],
    ])(
      `everything when %s, and is ${end} [STATE-5] [STATE-6] [STATE-11] [CHOICE-6] [TX-14] [TX-16] [OBJ-14]`,
      async (_what, request) => {
        const { id, transaction } = await given();
        const response = await act(id, { type, ...request });
        expect([response.status, response.body]).toEqual([200, { ...transaction, status: end, adjustedTotal: 0 }]);
        expect(await transactionOf(id)).toEqual(response.body);
      },
    );

    it('a part, and the status remains until the whole total is adjusted [CHOICE-4] [CHOICE-5] [OBJ-13] [OBJ-14]', async () => {
      const { id, transaction } = await given();
      const part = await act(id, { type, amount: 2_405 });
      expect([part.status, part.body]).toEqual([200, { ...transaction, adjustedTotal: 10_000 }]);
      expect(part.body.status).toBe(status);
      expect((await act(id, { type, amount: 9_999 })).body).toMatchObject({ status, total: 12_405, adjustedTotal: 1 });
      expect((await act(id, { type, amount: 1 })).body).toMatchObject({ status: end, total: 12_405, adjustedTotal: 0 });
    });

    it('lines at their value, and the full remainder with the last line [TX-15] [TX-17]', async () => {
      const { id } = await given();
      const lines = [[{ sku: 'CHAIR', quantity: 1 }], [{ sku: 'LAMP', quantity: 1 }], [{ sku: 'CHAIR', quantity: 2 }]];
      const left = [];
      for (const lineItems of lines) left.push((await act(id, { type, lineItems })).body.adjustedTotal);
      expect(left).toEqual([9_098, 7_113, 0]);
      expect((await transactionOf(id)).status).toBe(end);
      const moved = type === 'cancel' ? 'canceled' : 'refunded';
      const first = before.length + 2;
      expect((await journalOf(id)).slice(first - 1)).toEqual([
        [first, moved, 3_307, lines[0]],
        [first + 1, moved, 1_985, lines[1]],
        [first + 2, moved, 7_113, lines[2]],
      ]);
    });

    it('an amount with lines: the amount determines the adjustment, the quantities are recorded [CHOICE-7]', async () => {
      const { id } = await given();
      const response = await act(id, { type, amount: 100, lineItems: [{ sku: 'CHAIR', quantity: 3 }] });
      expect(response.body).toMatchObject({ status, adjustedTotal: 12_305 });
      expect(await act(id, { type, lineItems: [{ sku: 'CHAIR', quantity: 1 }] })).toMatchObject({
        status: 500,
        body: { description: `Cannot ${type} 1 of the sku "CHAIR": 0 are left.`, code: 'quantity-too-large' },
      });
      expect((await act(id, { type, lineItems: [{ sku: 'LAMP', quantity: 1 }] })).body).toMatchObject({
        status: end,
        adjustedTotal: 0,
      });
    });

    it.each<[string, object, string, string]>([
      ['a cent more than is left', { amount: 12_406 }, 'amount-too-large', `Cannot ${type} 12406 cents: 12405 are left.`],
      [
        'the largest amount there is',
        { amount: 99_999_999_999 },
        'amount-too-large',
        `Cannot ${type} 99999999999 cents: 12405 are left.`,
      ],
      [
        'a sku of another order',
        { lineItems: [{ sku: 'DESK', quantity: 1 }] },
        'quantity-too-large',
        `Cannot ${type} 1 of the sku "DESK": 0 are left.`,
      ],
      [
        'a sku in another case',
        { lineItems: [{ sku: 'chair', quantity: 1 }] },
        'quantity-too-large',
        `Cannot ${type} 1 of the sku "chair": 0 are left.`,
      ],
      [
        'a piece more than is left',
        {
          lineItems: [
            { sku: 'LAMP', quantity: 1 },
            { sku: 'CHAIR', quantity: 4 },
          ],
        },
        'quantity-too-large',
        `Cannot ${type} 4 of the sku "CHAIR": 3 are left.`,
      ],
    ])(
      'not %s, and the message contains the remainder [CHOICE-7] [CHOICE-8] [LIM-2] [LIM-3]',
      async (_what, request, code, description) => {
        const { id, transaction } = await given();
        const journal = await journalOf(id);
        const response = await act(id, { type, ...request });
        expect([response.status, response.body]).toEqual([500, { description, error: true, type: 'INTERNAL_ERROR', code }]);
        expect(await transactionOf(id)).toEqual(transaction);
        expect(await journalOf(id)).toEqual(journal);
      },
    );

    it('in cents that add up', async () => {
      const { id } = await given();
      await act(id, { type, amount: 405 });
      const row = await service.database.query
        .selectFrom('transactions')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ total_cents: 12_405, adjusted_total_cents: 12_000, [column]: 405 });
    });
  });

  it('a purchase that was canceled in part is refunded up to what was settled [LIM-3] [STATE-8]', async () => {
    const { id, transaction } = await completeCheckoutAndAct(
      merchant,
      [authorize, { type: 'cancel', lineItems: [{ sku: 'CHAIR', quantity: 2 }] }, settle],
      order,
    );
    expect(transaction).toMatchObject({ status: 'SETTLED', adjustedTotal: 12_405 - 6_614 });
    expect((await act(id, { type: 'refund', lineItems: [{ sku: 'CHAIR', quantity: 2 }] })).body.description).toContain(
      '1 is left',
    );
    expect((await act(id, { type: 'refund', lineItems: [{ sku: 'CHAIR', quantity: 1 }] })).body.adjustedTotal).toBe(
      5_791 - 3_306,
    );
    expect((await act(id, { type: 'refund' })).body).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('lines under a custom total at their share of it', async () => {
    const items = [article('A', 60_000, 1), article('B', 20_000, 1)];
    const { id } = await completeCheckoutAndAct(merchant, [authorize], { items, customTotal: 40_000 });
    const response = await act(id, { type: 'cancel', lineItems: [{ sku: 'B', quantity: 1 }] });
    expect(response.body).toMatchObject({ status: 'AUTHORIZED', adjustedTotal: 30_000 });
  });

  it('rejects lines on a purchase without lines', async () => {
    const flat = { items: undefined, customTotal: 60_000 };
    const { id } = await completeCheckoutAndAct(merchant, [authorize, settle], flat);
    expect(await act(id, { type: 'refund', lineItems: [{ sku: 'A', quantity: 1 }] })).toMatchObject({
      status: 500,
      body: { code: 'quantity-too-large' },
    });
    expect((await act(id, { type: 'refund', amount: 60_000 })).body).toMatchObject({ status: 'REFUNDED' });
  });

  it('lines of which some were canceled, which an authorization cannot replace', async () => {
    const { id, transaction } = await completeCheckoutAndAct(
      merchant,
      [{ type: 'cancel', lineItems: [{ sku: 'LAMP', quantity: 1 }] }],
      order,
    );
    const desk = { price: 9_920, quantity: 1, product: { name: 'Desk', sku: 'DESK', imageUrl: '', detailUrl: '' } };
    const rejected = await act(id, { ...authorize, lineItems: [desk] });
    expect(rejected).toMatchObject({ status: 500, body: { error: true, type: 'INTERNAL_ERROR', code: 'line-items-in-use' } });
    expect(await transactionOf(id)).toEqual(transaction);
    expect((await act(id, { ...authorize, lineItems: transaction.lineItems })).body).toEqual({
      ...transaction,
      status: 'AUTHORIZED',
    });
  });

  it.each([
    ['cancel', 'SETTLED', [authorize, settle], 'PENDING or AUTHORIZED'],
    ['cancel', 'CANCELED', [{ type: 'cancel' }], 'PENDING or AUTHORIZED'],
    ['cancel', 'REFUNDED', [authorize, settle, { type: 'refund' }], 'PENDING or AUTHORIZED'],
    ['refund', 'PENDING', [], 'SETTLED'],
    ['refund', 'AUTHORIZED', [authorize], 'SETTLED'],
    ['refund', 'CANCELED', [authorize, { type: 'cancel' }], 'SETTLED'],
    ['refund', 'REFUNDED', [authorize, settle, { type: 'refund' }], 'SETTLED'],
  ])(
    '%s is rejected on a transaction that is %s, and changes nothing [STATE-7] [STATE-10] [STATE-12] [CHOICE-8]',
    async (type, status, actions, needed) => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
      for (const request of [{}, { amount: 1 }, { lineItems: [{ sku: 'CHAIR-1', quantity: 1 }] }]) {
        const response = await act(id, { type, ...request });
        const description = `Cannot ${type} a transaction that is ${status}; it must be ${needed}.`;
        expect([response.status, response.body]).toEqual([
          500,
          { description, error: true, type: 'INTERNAL_ERROR', code: 'wrong-state' },
        ]);
      }
      expect(await transactionOf(id)).toEqual(transaction);
    },
  );

  describe.each(['cancel', 'refund'])('%s', (type) => {
    it.each(unknownIds)('returns 500 and exactly the documented body for the id %s [ERR-9]', async (id) => {
      const response = await act(encodeURIComponent(id), { type, amount: 1 });
      expect([response.status, response.body]).toEqual([500, invalidId]);
    });

    it('is rejected for a transaction of another merchant [TX-21] [CHOICE-9]', async () => {
      const other = await service.createMerchant();
      const foreign = await completeCheckout(other);
      const response = await act(foreign, { type });
      expect([response.status, response.body]).toEqual([500, invalidId]);
      expect((await other.get(`/transactions/${foreign}`)).body).toMatchObject({ status: 'PENDING', adjustedTotal: 75_000 });
    });
  });
});
