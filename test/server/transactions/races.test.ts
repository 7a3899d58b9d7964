import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { completeCheckoutAndAct } from '../../support/checkout.ts';
import { type ApiResponse, startService, type TestMerchant, type TestService } from '../../support/service.ts';

const authorize = { type: 'authorize' };
const settle = { type: 'settle' };
const cancel = { type: 'cancel' };
const refund = { type: 'refund' };

describeOnEveryEngine('Two requests about a transaction at the same moment', (engine) => {
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
      .select(['sequence', 'type', 'amount_cents'])
      .where('transaction_id', '=', id)
      .orderBy('sequence')
      .execute();

  const won = ({ status }: ApiResponse) => status === 200;
  /** Those that lost were told so, with a code that says what to do. */
  const requireCodes = (responses: ApiResponse[], ...codes: string[]) => {
    for (const { status, body } of responses.filter((response) => !won(response))) {
      expect(status).toBe(500);
      expect(body).toMatchObject({ error: true, type: 'INTERNAL_ERROR' });
      expect([...codes, 'changed-meanwhile']).toContain(body.code);
    }
  };

  it.each([
    ['settle', 'cancel', settle, cancel, [authorize]],
    ['cancel', 'settle', cancel, settle, [authorize]],
    ['authorize', 'cancel of everything', authorize, cancel, [{ type: 'cancel', amount: 1 }]],
    ['refund of everything', 'refund of a part', refund, { type: 'refund', amount: 74_999 }, [authorize, settle]],
    ['cancel of everything', 'cancel of a part', cancel, { type: 'cancel', amount: 74_999 }, [authorize]],
  ])('%s against %s: of two conflicting actions, one succeeds [CHOICE-8]', async (_first, _second, one, other, before) => {
    for (let round = 0; round < 4; round++) {
      const { id } = await completeCheckoutAndAct(merchant, before);
      const responses = await Promise.all([act(id, one), act(id, other)]);
      requireCodes(responses, 'wrong-state', 'amount-too-large');
      expect(responses.filter(won).length).toBeGreaterThanOrEqual(1);

      const { body } = await merchant.get(`/transactions/${id}`);
      const journal = await journalOf(id);
      expect(journal.map(({ sequence }) => sequence)).toEqual(journal.map((_, index) => index + 1));
      expect(journal).toHaveLength(1 + before.length + responses.filter(won).length);
      const back = journal.filter(({ type }) => type === 'canceled' || type === 'refunded');
      expect(body.adjustedTotal).toBe(75_000 - back.reduce((sum, { amount_cents }) => sum + amount_cents, 0));
      const ends = journal.map(({ type }) => type);
      expect(ends.includes('settled') && body.status === 'CANCELED').toBe(false);
    }
  });

  it.each([
    ['authorize', authorize, [], 'AUTHORIZED'],
    ['settle', settle, [authorize], 'SETTLED'],
    ['cancel', cancel, [authorize], 'CANCELED'],
    ['refund', refund, [authorize, settle], 'REFUNDED'],
    ['settle or cancel', undefined, [authorize], undefined],
  ])('eight that %s: exactly one succeeds [CHOICE-8]', async (_what, action, before, status) => {
    const { id } = await completeCheckoutAndAct(merchant, before);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => act(id, action ?? (index % 2 ? settle : cancel))),
    );
    expect(responses.filter(won)).toHaveLength(1);
    requireCodes(responses, 'wrong-state');
    const { body } = await merchant.get(`/transactions/${id}`);
    expect(body).toEqual(responses.find(won)!.body);
    if (status) expect(body.status).toBe(status);
    expect(await journalOf(id)).toHaveLength(before.length + 2);
  });

  it.each([
    ['cancel', [authorize], 'CANCELED'],
    ['refund', [authorize, settle], 'REFUNDED'],
  ])('ten that %s a part never exceed the remainder [LIM-2] [LIM-3]', async (type, before, end) => {
    const { id } = await completeCheckoutAndAct(merchant, before);
    const responses = await Promise.all(Array.from({ length: 10 }, () => act(id, { type, amount: 15_000 })));
    const lost = responses.filter((response) => !won(response));
    requireCodes(responses, 'amount-too-large', 'wrong-state');

    // Who was told to come back comes back; the others were told that nothing is left.
    for (const { body } of lost) if (body.code === 'changed-meanwhile') responses.push(await act(id, { type, amount: 15_000 }));
    expect(responses.filter(won)).toHaveLength(5);
    const left = responses.filter(won).map(({ body }) => body.adjustedTotal as number);
    expect(left.toSorted((a, b) => b - a)).toEqual([60_000, 45_000, 30_000, 15_000, 0]);
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({ status: end, adjustedTotal: 0 });
    expect((await journalOf(id)).slice(before.length + 1).map(({ amount_cents }) => amount_cents)).toEqual(Array(5).fill(15_000));
  });

  it('ten that refund a piece never refund more pieces than there are', async () => {
    const items = [{ sku: 'A', price: 10_000, quantity: 4, imageUrl: '', detailUrl: '' }];
    const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 999 }];
    const { id } = await completeCheckoutAndAct(merchant, [authorize, settle], { items, shippingOptions });
    const piece = { type: 'refund', lineItems: [{ sku: 'A', quantity: 1 }] };
    const responses = await Promise.all(Array.from({ length: 10 }, () => act(id, piece)));
    requireCodes(responses, 'quantity-too-large', 'wrong-state');
    const lost = responses.filter((response) => !won(response));
    for (const { body } of lost) if (body.code === 'changed-meanwhile') responses.push(await act(id, piece));
    expect(responses.filter(won)).toHaveLength(4);
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('a shipment, an order id and a cancel are all stored', async () => {
    const { id } = await completeCheckoutAndAct(merchant, [authorize]);
    const requests = [
      () => merchant.post(`/transactions/${id}/shipment`, { trackingNumber: 'T-1' }),
      () => merchant.call('PUT', `/transactions/${id}`, { body: JSON.stringify({ merchantOrderId: 'M-1' }) }),
      () => act(id, { type: 'cancel', amount: 1 }),
    ];
    const responses = await Promise.all(requests.map((request) => request()));
    requireCodes(responses);
    for (const [index, { body }] of responses.entries()) if (body.code === 'changed-meanwhile') await requests[index]!();
    expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({
      trackingNumber: 'T-1',
      merchantOrderId: 'M-1',
      adjustedTotal: 74_999,
    });
  });

  describe('an expiry and an action', () => {
    it('do not both happen: the transaction is either EXPIRED or AUTHORIZED', async () => {
      for (let round = 0; round < 4; round++) {
        const { id } = await completeCheckoutAndAct(merchant, []);
        const [, response] = await Promise.all([
          merchant.post('/sandbox/clock', { now: new Date(Date.now() + 8 * 86_400_000).toISOString() }),
          act(id, authorize),
        ]);
        const { status } = (await merchant.get(`/transactions/${id}`)).body;
        expect(status).toBe(won(response) ? 'AUTHORIZED' : 'EXPIRED');
        requireCodes([response], 'wrong-state');
        await merchant.post('/sandbox/clock', { now: new Date().toISOString() });
      }
    });
  });
});
