import { mask } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { ActionRequest } from '../../../shared/wire/transaction.ts';

const product = { name: 'Chair', sku: 'CHAIR-1', imageUrl: '', detailUrl: '' };
const line = { price: 75_000, quantity: 1, sku: 'CHAIR-1', product };
const read = (body: unknown) => mask(body, ActionRequest);

it('An empty order id of an authorization is treated as omitted', () => {
  expect(read({ type: 'authorize', merchantOrderId: '' })).toEqual({ type: 'authorize' });
});

describe('A line item to cancel or refund', () => {
  it('may have its sku in its product, as in responses', () => {
    const responseItem = { id: '1', price: 75_000, quantity: 1, product };
    expect(read({ type: 'refund', lineItems: [responseItem] })).toMatchObject({
      lineItems: [{ sku: 'CHAIR-1', quantity: 1 }],
    });
  });

  it.each([
    [null, 'CHAIR-1'],
    ['ITEM-1', 'ITEM-1'],
  ])('with the sku %j and a product with the sku CHAIR-1 is parsed with the sku %s', (sku, parsed) => {
    expect(read({ type: 'refund', lineItems: [{ ...line, sku }] })).toMatchObject({ lineItems: [{ sku: parsed }] });
  });
});

describe.each(['cancel', 'refund'])('ActionRequest for %s', (type) => {
  it.each<[string, object, object]>([
    ['only its type', {}, {}],
    ['an order id, which clients send with every action', { merchantOrderId: 'M-1' }, {}],
    ['null for the line items', { lineItems: null }, {}],
    ['unknown fields', { note: 'sorry', user: { id: 1 }, currency: 'USD' }, {}],
    ['a reason that is one of the codes', { reason: 'damaged' }, { reason: 'damaged' }],
    ['another text as the reason', { reason: 'It broke', amount: 500 }, { reason: 'other', amount: 500 }],
    ['an empty reason', { reason: '' }, {}],
    ['null as the reason and an empty list', { lineItems: [], reason: null }, { lineItems: [] }],
    ['an amount and an unknown number and list', { amount: 500, orderId: 7, tags: ['a'] }, { amount: 500 }],
    [
      'line items and an unknown number',
      { lineItems: [{ sku: 'A', quantity: 1 }], orderId: 7 },
      { lineItems: [{ sku: 'A', quantity: 1 }] },
    ],
  ])('accepts %s', (_case, fields, parsed) => {
    expect(read({ type, ...fields })).toEqual({ type, ...parsed });
  });
});

describe('The amount 0', () => {
  it('is accepted in a refund, where the interface defines it as everything', () => {
    expect(read({ type: 'refund', amount: 0, note: 'sorry' })).toEqual({ type: 'refund', amount: 0 });
  });
});
