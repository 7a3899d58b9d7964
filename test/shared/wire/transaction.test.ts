import { mask } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { ActionRequest } from '../../../shared/wire/transaction.ts';

const product = { name: 'Chair', sku: 'CHAIR-1', imageUrl: '', detailUrl: '' };
const line = { price: 75_000, quantity: 1, sku: 'CHAIR-1', product };
const read = (body: unknown) => mask(body, ActionRequest);

describe('an authorization', () => {
  it.each([
    ['its type alone', { type: 'authorize' }],
    ['an order id', { type: 'authorize', merchantOrderId: '1001' }],
    ['lines', { type: 'authorize', lineItems: [line] }],
    ['no line', { type: 'authorize', lineItems: [] }],
  ])('may be %s', (_, body) => {
    expect(read(body)).toEqual(body);
  });

  it('may say null for what it does not have, and carry fields that only the client knows', () => {
    expect(read({ type: 'authorize', lineItems: null, merchantOrderId: null, apiKey: 'k' })).toEqual({ type: 'authorize' });
  });

  it('takes no order id away: an empty one counts as left out', () => {
    expect(read({ type: 'authorize', merchantOrderId: '' })).toEqual({ type: 'authorize' });
  });

  it.each([
    ['a negative price', { lineItems: [line, { ...line, price: -1 }] }, 'lineItems.1.price'],
    ['a fraction of a cent', { lineItems: [{ ...line, price: 0.5 }] }, 'lineItems.0.price'],
    ['a price of 2^53', { lineItems: [{ ...line, price: 2 ** 53 }] }, 'lineItems.0.price'],
    ['a price as text', { lineItems: [{ ...line, price: '1' }] }, 'lineItems.0.price'],
    ['a quantity of nothing', { lineItems: [{ ...line, quantity: 0 }] }, 'lineItems.0.quantity'],
    ['a line without a product', { lineItems: [{ ...line, product: undefined }] }, 'lineItems.0.product'],
    ['lines that are no list', { lineItems: line }, 'lineItems'],
    ['a number for an order id', { merchantOrderId: 1_001 }, 'merchantOrderId'],
    ['an order id with a NUL', { merchantOrderId: 'a\u0000' }, 'merchantOrderId'],
  ])('is refused with %s, at its path', (_, change, path) => {
    expect(() => read({ type: 'authorize', ...change })).toThrow(`At path: ${path} -- Expected `);
  });
});

describe('an action', () => {
  it.each([
    ['an unknown type', { type: 'explode' }, 'but received: "explode"'],
    ['a type that every object has', { type: 'constructor' }, 'but received: "constructor"'],
    ['a type in capitals', { type: 'AUTHORIZE' }, 'but received: "AUTHORIZE"'],
    ['no type', {}, 'but received: undefined'],
    ['a number for a type', { type: 5 }, 'but received: 5'],
  ])('is refused with %s, at its path', (_, body, received) => {
    expect(() => read(body)).toThrow('At path: type -- Expected one of `"authorize"');
    expect(() => read(body)).toThrow(received);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['text', 'authorize'],
  ])('is refused when it is %s', (_, body) => {
    expect(() => read(body)).toThrow(/^Expected an object/);
  });
});

describe('a line to cancel or refund', () => {
  it('may be the line as it was read, with its sku in the product', () => {
    const asRead = { id: '1', price: 75_000, quantity: 1, product };
    expect(mask({ type: 'refund', lineItems: [asRead] }, ActionRequest)).toMatchObject({
      lineItems: [{ sku: 'CHAIR-1', quantity: 1 }],
    });
  });

  it('may have null for its own sku beside that of the product', () => {
    expect(mask({ type: 'refund', lineItems: [{ ...line, sku: null }] }, ActionRequest)).toMatchObject({
      lineItems: [{ sku: 'CHAIR-1' }],
    });
  });

  it('goes by its own sku where it has one', () => {
    expect(mask({ type: 'refund', lineItems: [{ ...line, sku: 'OWN' }] }, ActionRequest)).toMatchObject({
      lineItems: [{ sku: 'OWN' }],
    });
  });

  it.each([{ quantity: 1 }, { quantity: 1, product: null }, { quantity: 1, product: {} }, { quantity: 1, sku: null }])(
    'is refused without any: %j',
    (without) => {
      expect(() => mask({ type: 'refund', lineItems: [without] }, ActionRequest)).toThrow('At path: lineItems.0.sku');
    },
  );
});

describe.each(['cancel', 'refund'])('a %s', (type) => {
  it.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['an order id, as clients send with every action', { merchantOrderId: 'M-1' }, {}],
    ['null for its lines', { lineItems: null }, {}],
    ['a reason, and who gave it', { reason: 'broken', note: 'sorry', user: { id: 1 }, currency: 'USD' }, {}],
    ['an amount, and fields that only the client knows', { amount: 500, reason: 'broken' }, { amount: 500 }],
    ['amount 0, and fields that only the client knows', { amount: 0, reason: 'broken' }, { amount: 0 }],
    ['no lines, and fields that only the client knows', { lineItems: [], reason: 'broken' }, { lineItems: [] }],
  ])('may say %s', (_what, said, kept) => {
    expect(read({ type, ...said })).toEqual({ type, ...kept });
  });

  it('is rejected with an amount of null, which JSON makes of NaN', () => {
    expect(() => read({ type, amount: null })).toThrow('At path: amount -- Expected an integer, but received: null');
  });

  it.each<[string, object, string]>([
    ['a misspelt amount', { amout: 500 }, 'amout'],
    ['an amount in other letters', { AMOUNT: 500 }, 'AMOUNT'],
    ['misspelt lines beside null', { amount: null, lineItem: [] }, 'lineItem'],
    ['an amount in its unit', { amountCents: 500 }, 'amountCents'],
    ['a part of the total', { refund_total: 500 }, 'refund_total'],
    ['articles by another name', { items: [] }, 'items'],
    ['a misspelt amount beside an empty list', { lineItems: [], amout: 2_500 }, 'amout'],
    ['an amount of 0 beside another', { amount: 0, Amount: 2_500 }, 'Amount'],
    ['misspelt lines beside an empty list', { lineItems: [], lineItem: [{ sku: 'A', quantity: 1 }] }, 'lineItem'],
    ['a name of a thousand letters', { [`amount${'x'.repeat(1_000)}`]: 1 }, `amount${'x'.repeat(54)}`],
  ])('that says only %s is refused, and would move everything otherwise', (_what, said, path) => {
    expect(() => read({ type, ...said })).toThrow(
      `At path: ${path} -- Expected \`amount\`, \`lineItems\` or neither, but received what reads like one of them`,
    );
  });
});
