import { expect, it } from 'vitest';
import { differencesOf } from '../../../support/audit.ts';
import { completeCheckoutAndAct } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';

const item = (sku: string, price: number, quantity: number) => ({ sku, price, quantity, imageUrl: '', detailUrl: '' });

/** The order of the example in server/docs/merchant-api.md, with a total of $124.05. */
const order = {
  items: [item('CHAIR', 3_333, 3), item('LAMP', 2_001, 1)],
  discounts: [{ amount: 1_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
  tax: 905,
};
const settled = [{ type: 'authorize' }, { type: 'settle' }];
const refund = (request: object) => ({ type: 'refund', ...request });
const lines = (sku: string, quantity: number) => ({ lineItems: [{ sku, quantity }] });

describeOnEveryEngine('GET /transactions/:id/adjustments', async (engine) => {
  const service = await startService(engine);
  const merchant = await service.createMerchant();
  const adjustmentsOf = (id: string) => merchant.fairterm.transactions.adjustments(id);

  it('lists cancels and refunds with the values of their lines, in the order of the changes', async () => {
    const { id } = await completeCheckoutAndAct(
      merchant,
      [
        { type: 'cancel', ...lines('CHAIR', 1), reference: 'RMA-1', reason: 'out-of-stock' },
        ...settled,
        refund({ ...lines('LAMP', 1), reference: '#7/b', reason: 'returned' }),
        refund({}),
      ],
      order,
    );
    const adjustments = await adjustmentsOf(id);
    const common = { id: expect.any(String), createdAt: expect.any(String), actor: `key:${merchant.apiKey.slice(-8)}` };
    expect(adjustments).toEqual([
      {
        ...common,
        type: 'cancel',
        amount: 3_307,
        lines: [{ sku: 'CHAIR', quantity: 1, amount: 3_307 }],
        reference: 'RMA-1',
        reason: 'out-of-stock',
      },
      {
        ...common,
        type: 'refund',
        amount: 1_985,
        lines: [{ sku: 'LAMP', quantity: 1, amount: 1_985 }],
        reference: '#7/b',
        reason: 'returned',
      },
      // The rest of the amount is shipping.
      {
        ...common,
        type: 'refund',
        amount: 7_113,
        lines: [{ sku: 'CHAIR', quantity: 2, amount: 6_613 }],
        reference: '',
        reason: null,
      },
    ]);
    expect(new Set(adjustments.map((adjustment) => adjustment.id)).size).toBe(3);
    expect(await adjustmentsOf(id)).toEqual(adjustments);
  });

  it('allocates an amount below the values of its lines to them', async () => {
    const { id } = await completeCheckoutAndAct(
      merchant,
      [...settled, refund({ amount: 100, lineItems: [...lines('CHAIR', 3).lineItems, ...lines('LAMP', 1).lineItems] })],
      order,
    );
    const [{ lines: adjusted } = { lines: [] }] = await adjustmentsOf(id);
    expect(adjusted).toEqual([
      { sku: 'CHAIR', quantity: 3, amount: 83 },
      { sku: 'LAMP', quantity: 1, amount: 17 },
    ]);
  });

  it('has the value and the shipping of the last units, without what the merchant kept, and the audit confirms it', async () => {
    const requests = [refund({ amount: 8_000, ...lines('CHAIR', 3) }), refund(lines('LAMP', 1)), refund({})];
    const { id, transaction } = await completeCheckoutAndAct(merchant, [...settled, ...requests.slice(0, 2)], order);
    expect(transaction).toMatchObject({ status: 'SETTLED', adjustedTotal: 9_920 - 8_000 });
    expect(await adjustmentsOf(id)).toMatchObject([
      { amount: 8_000, lines: [{ sku: 'CHAIR', quantity: 3, amount: 8_000 }] },
      { amount: 2_485, lines: [{ sku: 'LAMP', quantity: 1, amount: 1_985 }] },
    ]);
    await merchant.post(`/transactions/actions/${id}`, requests[2]!);
    expect(await merchant.fairterm.transactions.retrieve(id)).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
    expect((await differencesOf(service.database.query)).filter(({ transactionId }) => transactionId === id)).toEqual([]);
  });

  it.each([
    ['reference', 'Ada Lovelace'],
    ['reference', 'ada@example.com'],
    ['reference', 'R'.repeat(101)],
    ['reference', 7],
  ])('rejects the %s %j of a refund, which the journal would keep permanently', async (field, value) => {
    const { id } = await completeCheckoutAndAct(merchant, settled);
    const { status, body } = await merchant.post(`/transactions/actions/${id}`, refund({ amount: 1, [field]: value }));
    expect([status, body.code]).toEqual([400, 'invalid-request']);
    expect(body.description).toContain(`At path: ${field} -- `);
    expect(await adjustmentsOf(id)).toEqual([]);
  });

  it('has the reason "other" for a text of the merchant, which is not stored', async () => {
    const { id } = await completeCheckoutAndAct(merchant, settled);
    const { status } = await merchant.post(`/transactions/actions/${id}`, refund({ amount: 1, reason: 'changed her mind' }));
    expect([status, await adjustmentsOf(id)]).toMatchObject([200, [{ reason: 'other' }]]);
  });

  it('is verified by the audit, which reports an unknown reason and a reference of another change', async () => {
    const { database } = service;
    const differences = async (transactionId: string) =>
      (await differencesOf(database.query)).filter((each) => each.transactionId === transactionId).map(({ stored }) => stored);
    const { id } = await completeCheckoutAndAct(merchant, [...settled, refund({ amount: 1, reference: 'R', reason: 'other' })]);
    expect(await differences(id)).toEqual([]);
    const append = (sequence: number, change: object) =>
      database.write(async (tx) => {
        const row = {
          transactionId: id,
          sequence,
          cardCents: 0,
          requestedCents: null,
          linesJson: '[]',
          actor: 'console',
          at: service.clock.now(),
        };
        await tx
          .insertInto('transaction_entries')
          .values({ ...row, reason: null, reference: null, ...change } as never)
          .execute();
        await tx.updateTable('transactions').set({ revision: sequence }).where('id', '=', id).execute();
      });
    await append(5, { type: 'order-id-set', amountCents: 0, reference: 'R' });
    expect(await differences(id)).toContain('row 5 is "order-id-set" with the reference "R"');
  });
});
