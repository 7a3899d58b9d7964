/** The fields of a transaction: PENDING, after changes, and of a cart with a custom total. */
import { describe, expect, it } from 'vitest';
import { completeCheckout, createCart, reachDecision, submit } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { until } from '../../support/time.ts';
import { uuid } from '../carts/ids.ts';

const grace = {
  fullName: 'Grace Brewster Hopper',
  address: '1 Compiler Road',
  address2: 'Apt 2',
  city: 'Arlington',
  state: 'VA',
  zip: '22201-1234',
  email: 'grace@example.com',
  phone: '(555) 010-0200',
};
const howard = {
  firstName: 'Howard',
  lastName: 'Aiken',
  address: '33 Oxford Street',
  city: 'Cambridge',
  state: 'MA',
  zip: '02138',
};
const product = { name: 'Desk', sku: 'DESK', imageUrl: 'https://img.example/d.png', detailUrl: 'https://shop.example/d' };
const cart = {
  orderRef: 'O-1',
  items: [{ ...product, price: 30_000, quantity: 2 }],
  discounts: [{ amount: 1_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
  tax: 250,
  billingContact: grace,
  shippingContact: howard,
};

const merchant = await (await startService()).createMerchant();
const retrieve = async (transactionId: string) => (await merchant.get(`/transactions/${transactionId}`)).body;
const id = await completeCheckout(merchant, cart);
const pending = await retrieve(id);
const cartId = pending['cartId'] as string;
await merchant.post(`/transactions/actions/${id}`, { type: 'authorize', merchantOrderId: 'M-1' });
await merchant.post(`/transactions/actions/${id}`, { type: 'cancel', amount: 750 });
await merchant.post(`/transactions/${id}/shipment`, { trackingNumber: '1Z 999', carrierName: 'Royal Post' });
const changed = await retrieve(id);
const customTotal = await retrieve(await completeCheckout(merchant, { items: undefined, customTotal: 60_000 }));

describe('A transaction', () => {
  const contactOf = (contact: object) => ({ address2: '', email: expect.any(String), phone: expect.any(String), ...contact });
  const billed = contactOf({ ...grace, zip: '22201', phone: '5550100200' });
  const shipped = contactOf({
    fullName: 'Howard Aiken',
    address: '33 Oxford Street',
    city: 'Cambridge',
    state: 'MA',
    zip: '02138',
  });
  const lineItems = [{ id: '1', sku: 'DESK', price: 30_000, quantity: 2, product }];
  const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/);

  const fields: [field: string, ids: string, ifPending: unknown, ifChanged: unknown, ifCustomTotal: unknown][] = [
    ['status', '[OBJ-12] [STATE-1]', 'PENDING', 'AUTHORIZED', 'PENDING'],
    ['createdAt', '[OBJ-6] [CHOICE-27]', timestamp, timestamp, timestamp],
    ['orderRef', '', 'O-1', 'O-1', ''],
    ['merchantOrderId', '[OBJ-9]', '', 'M-1', ''],
    ['total', '[OBJ-13] [TX-18]', 59_750, 59_750, 60_000],
    ['adjustedTotal', '[OBJ-14]', 59_750, 59_000, 60_000],
    ['totalTax', '[OBJ-15]', 250, 250, null],
    ['shippingCost', '[OBJ-10]', 500, 500, 0],
    ['shippingMethodCode', '[OBJ-11] [CHOICE-29]', 'ground', 'ground', ''],
    ['shippingMethodName', '[CHOICE-29]', 'Ground', 'Ground', ''],
    ['trackingNumber', '[OBJ-16]', '', '1Z 999', ''],
    ['carrierName', '[OBJ-17]', '', 'Royal Post', ''],
    ['lineItems', '[OBJ-7] [OBJ-8] [CHOICE-28]', lineItems, lineItems, []],
    ['discounts', '[OBJ-18]', cart.discounts, cart.discounts, []],
    ['billingContact', '[OBJ-2] [OBJ-3]', billed, billed, expect.objectContaining({ fullName: 'Ada Lovelace', zip: '62701' })],
    ['shippingContact', '[OBJ-4] [OBJ-5]', shipped, shipped, expect.objectContaining({ fullName: 'Ada Lovelace', zip: '62701' })],
  ];
  it.each(fields)('has the field %s %s', (field, _ids, ifPending, ifChanged, ifCustomTotal) => {
    expect([pending[field], changed[field], customTotal[field]]).toEqual([ifPending, ifChanged, ifCustomTotal]);
  });

  it('has the field serviceTransactionId [OBJ-1] [CHOICE-25]', () => {
    expect([pending['serviceTransactionId'], changed['serviceTransactionId']]).toEqual([id, id]);
    expect(id).toMatch(uuid);
  });

  it('has no other fields than these, its id, its cart, the loan and the card [TX-1]', () => {
    const more = ['serviceTransactionId', 'cartId', 'financing', 'card'];
    expect(Object.keys(pending).toSorted()).toEqual([...fields.map(([field]) => field), ...more].toSorted());
  });

  it('has the id of its cart', async () => {
    expect(await merchant.get(`/carts/${cartId}`)).toMatchObject({ status: 200, body: { id: cartId } });
    expect(changed['cartId']).toBe(cartId);
  });

  it('has the loan as signed, which changes do not affect, and no card', () => {
    const financing = {
      amount: 59_750,
      termLength: 24,
      termInterval: 'Month',
      monthly: 2_757,
      apr: 0.0999,
      firstPaymentDue: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    };
    expect(pending).toMatchObject({ financing: { ...financing, current: null }, card: null });
    expect(changed).toMatchObject({ financing, card: null });
  });

  it('has the current loan after changes', () => {
    const payments = Array.from({ length: 24 }, () => ({ dueDate: expect.any(String), amount: expect.any(Number) }));
    expect(changed['financing']).toMatchObject({
      current: { amount: 59_000, monthly: 2_723, payments, calculatedBy: 'service', totalOfPayments: expect.any(Number) },
    });
  });

  it('has the part that a card pays with its state, which follows the transaction', async () => {
    const purchase = async () => {
      const agreement = await submit(await submit(await reachDecision((await createCart(merchant)).url, { taxIdLast4: '1101' })));
      const location = new URL((await submit(agreement)).headers.get('location')!);
      return location.searchParams.get('transactionId')!;
    };
    const act = async (transactionId: string, type: string, more = {}) =>
      (await merchant.post(`/transactions/actions/${transactionId}`, { type, ...more })).body;
    const one = await purchase();
    const { body: before } = await merchant.get(`/transactions/${one}`);
    const cardCents = before.card.amount as number;
    expect(cardCents).toBeGreaterThan(0);
    expect(before.total).toBe(before.financing.amount + cardCents);
    const card = { amount: cardCents, holdExpiresAt: null };
    const cardAfter = (transactionId: string, state: string) =>
      until(async () => {
        const { body } = await merchant.get(`/transactions/${transactionId}`);
        return body.card.state === state && (body.card as unknown);
      });
    expect(before.card).toEqual({ ...card, state: 'pending' });
    expect((await act(one, 'authorize')).card).toEqual({ ...card, state: 'held', holdExpiresAt: timestamp });
    await act(one, 'settle');
    expect(await cardAfter(one, 'captured')).toEqual({ ...card, state: 'captured' });
    expect((await act(one, 'refund', { amount: before.total - cardCents + 10 })).card).toEqual({
      ...card,
      amount: cardCents - 10,
      state: 'captured',
    });
    await act(one, 'refund');
    expect(await cardAfter(one, 'refunded')).toEqual({ ...card, amount: 0, state: 'refunded' });
    const authorized = await purchase();
    await act(authorized, 'authorize');
    await act(authorized, 'cancel');
    expect(await cardAfter(authorized, 'released')).toEqual({ ...card, amount: 0, state: 'released' });
    expect((await act(await purchase(), 'cancel')).card).toEqual({ ...card, amount: 0, state: 'none' });
  });

  it('never changes createdAt [OBJ-6]', () => {
    expect(changed['createdAt']).toBe(pending['createdAt']);
    expect(Date.parse(pending['createdAt'] as string)).not.toBeNaN();
  });
});
