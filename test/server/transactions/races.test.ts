import { beforeAll, expect, it } from 'vitest';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { completeCheckoutAndAct } from '../../support/checkout.ts';
import { type ApiResponse, startService, type TestMerchant, type TestService } from '../../support/service.ts';

const authorize = { type: 'authorize' };
const settle = { type: 'settle' };
const cancel = { type: 'cancel' };
const refund = { type: 'refund' };

describeOnEveryEngine('Concurrent requests for a transaction', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
  });
  const act = (id: string, action: object) => merchant.post(`/transactions/actions/${id}`, action);
  const journalOf = (id: string) =>
    service.database.query
      .selectFrom('transaction_events')
      .select(['sequence', 'type', 'amountCents'])
      .where('transactionId', '=', id)
      .orderBy('sequence')
      .execute();

  const succeeded = ({ status }: ApiResponse) => status === 200;
  /** Expects that the failed requests have one of the error codes or `changed-meanwhile`. */
  const expectCodes = (responses: ApiResponse[], ...codes: string[]) => {
    for (const { status, body } of responses.filter((response) => !succeeded(response))) {
      expect(status).toBe(500);
      expect(body).toMatchObject({ error: true, type: 'INTERNAL_ERROR' });
      expect([...codes, 'changed-meanwhile']).toContain(body.code);
    }
  };

  it.each([
    ['settle', 'cancel', settle, cancel, [authorize]],
    ['cancel', 'settle', cancel, settle, [authorize]],
    ['authorize', 'a cancel of everything', authorize, cancel, [{ type: 'cancel', amount: 1 }]],
    ['a refund of everything', 'a partial refund', refund, { type: 'refund', amount: 74_999 }, [authorize, settle]],
    ['a cancel of everything', 'a partial cancel', cancel, { type: 'cancel', amount: 74_999 }, [authorize]],
  ])('of which one is %s and one is %s leave a consistent journal [CHOICE-8]', async (_first, _second, one, other, before) => {
    for (let round = 0; round < 4; round++) {
      const { id } = await completeCheckoutAndAct(merchant, before);
      const responses = await Promise.all([act(id, one), act(id, other)]);
      expectCodes(responses, 'wrong-state', 'amount-too-large');
      expect(responses.filter(succeeded).length).toBeGreaterThanOrEqual(1);

      const { body } = await merchant.get(`/transactions/${id}`);
      const journal = await journalOf(id);
      expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1));
      expect(journal).toHaveLength(1 + before.length + responses.filter(succeeded).length);
      const adjustments = journal.filter(({ type }) => type === 'canceled' || type === 'refunded');
      expect(body.adjustedTotal).toBe(75_000 - adjustments.reduce((sum, { amountCents }) => sum + amountCents, 0));
      const types = journal.map(({ type }) => type);
      expect(types.includes('settled') && body.status === 'CANCELED').toBe(false);
    }
  });

  it.each([
    ['authorize', authorize, [], 'AUTHORIZED'],
    ['settle', settle, [authorize], 'SETTLED'],
    ['cancel', cancel, [authorize], 'CANCELED'],
    ['refund', refund, [authorize, settle], 'REFUNDED'],
    ['settle or cancel', undefined, [authorize], undefined],
  ])('have exactly one success if eight %s everything [CHOICE-8]', async (_title, action, before, status) => {
    const { id } = await completeCheckoutAndAct(merchant, before);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => act(id, action ?? (index % 2 ? settle : cancel))),
    );
    expect(responses.filter(succeeded)).toHaveLength(1);
    expectCodes(responses, 'wrong-state');
    const { body } = await merchant.get(`/transactions/${id}`);
    expect(body).toEqual(responses.find(succeeded)!.body);
    if (status) expect(body.status).toBe(status);
    expect(await journalOf(id)).toHaveLength(before.length + 2);
  });

  it.each([
    ['cancel', [authorize], 'CANCELED'],
    ['refund', [authorize, settle], 'REFUNDED'],
  ])('never adjust more than the remaining amount if ten %s a part [LIM-2] [LIM-3]', async (type, before, finalStatus) => {
    const { id } = await completeCheckoutAndAct(merchant, before);
    const responses = await Promise.all(Array.from({ length: 10 }, () => act(id, { type, amount: 15_000 })));
    const failed = responses.filter((response) => !succeeded(response));
    expectCodes(responses, 'amount-too-large', 'wrong-state');

    // Retry those that conflicted.
    for (const { body } of failed) if (body.code === 'changed-meanwhile') responses.push(await act(id, { type, amount: 15_000 }));
    expect(responses.filter(succeeded)).toHaveLength(5);
    const adjustedTotals = responses.filter(succeeded).map(({ body }) => body.adjustedTotal as number);
    expect(adjustedTotals.toSorted((a, b) => b - a)).toEqual([60_000, 45_000, 30_000, 15_000, 0]);
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({ status: finalStatus, adjustedTotal: 0 });
    expect((await journalOf(id)).slice(before.length + 1).map(({ amountCents }) => amountCents)).toEqual(Array(5).fill(15_000));
  });

  it('never refund more units than the line item has if ten refund one unit', async () => {
    const items = [{ sku: 'A', price: 10_000, quantity: 4, imageUrl: '', detailUrl: '' }];
    const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 999 }];
    const { id } = await completeCheckoutAndAct(merchant, [authorize, settle], { items, shippingOptions });
    const oneUnit = { type: 'refund', lineItems: [{ sku: 'A', quantity: 1 }] };
    const responses = await Promise.all(Array.from({ length: 10 }, () => act(id, oneUnit)));
    expectCodes(responses, 'quantity-too-large', 'wrong-state');
    const failed = responses.filter((response) => !succeeded(response));
    for (const { body } of failed) if (body.code === 'changed-meanwhile') responses.push(await act(id, oneUnit));
    expect(responses.filter(succeeded)).toHaveLength(4);
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('are all stored if they set a shipment, an order id and a partial cancel', async () => {
    const { id } = await completeCheckoutAndAct(merchant, [authorize]);
    const requests = [
      () => merchant.post(`/transactions/${id}/shipment`, { trackingNumber: 'T-1' }),
      () => merchant.call('PUT', `/transactions/${id}`, { body: JSON.stringify({ merchantOrderId: 'M-1' }) }),
      () => act(id, { type: 'cancel', amount: 1 }),
    ];
    const responses = await Promise.all(requests.map((request) => request()));
    expectCodes(responses);
    for (const [index, { body }] of responses.entries()) if (body.code === 'changed-meanwhile') await requests[index]!();
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({
      trackingNumber: 'T-1',
      merchantOrderId: 'M-1',
      adjustedTotal: 74_999,
    });
  });

  it('either expire or authorize the transaction', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await completeCheckoutAndAct(merchant, []);
      const [, response] = await Promise.all([
        merchant.post('/sandbox/clock', { now: new Date(Date.now() + 8 * 86_400_000).toISOString() }),
        act(id, authorize),
      ]);
      const { status } = (await merchant.get(`/transactions/${id}`)).body;
      expect(status).toBe(succeeded(response) ? 'AUTHORIZED' : 'EXPIRED');
      expectCodes([response], 'wrong-state');
      await merchant.post('/sandbox/clock', { now: new Date().toISOString() });
    }
  });
});
