import { mask } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { ActionRequest, ShipmentRequest } from '../../../shared/wire/transaction.ts';

const product = { name: 'Chair', sku: 'CHAIR-1', imageUrl: '', detailUrl: '' };
const line = { price: 75_000, quantity: 1, sku: 'CHAIR-1', product };
const read = (body: unknown) => mask(body, ActionRequest);

describe('ActionRequest for authorize', () => {
  it.each([
    ['only its type', { type: 'authorize' }],
    ['an order id', { type: 'authorize', merchantOrderId: '1001' }],
    ['lines', { type: 'authorize', lineItems: [line] }],
    ['an empty list of lines', { type: 'authorize', lineItems: [] }],
    ['the amount that is left', { type: 'authorize', amount: 75_000 }],
  ])('accepts %s', (_, body) => {
    expect(read(body)).toEqual(body);
  });

  it('treats null as omitted and ignores unknown fields', () => {
    const blank = { lineItems: null, merchantOrderId: null, amount: null, apiKey: 'k', total: 5 };
    expect(read({ type: 'authorize', ...blank })).toEqual({ type: 'authorize' });
  });

  it('treats an empty order id as omitted', () => {
    expect(read({ type: 'authorize', merchantOrderId: '' })).toEqual({ type: 'authorize' });
  });

  it.each([
    ['a negative price', { lineItems: [line, { ...line, price: -1 }] }, 'lineItems.1.price'],
    ['a fraction of a cent', { lineItems: [{ ...line, price: 0.5 }] }, 'lineItems.0.price'],
    ['a price of 2^53', { lineItems: [{ ...line, price: 2 ** 53 }] }, 'lineItems.0.price'],
    ['a price as text', { lineItems: [{ ...line, price: '1' }] }, 'lineItems.0.price'],
    ['a quantity of 0', { lineItems: [{ ...line, quantity: 0 }] }, 'lineItems.0.quantity'],
    ['a line without a product', { lineItems: [{ ...line, product: undefined }] }, 'lineItems.0.product'],
    ['lines that are not an array', { lineItems: line }, 'lineItems'],
    ['a number instead of an order id', { merchantOrderId: 1_001 }, 'merchantOrderId'],
    ['an order id with a NUL', { merchantOrderId: 'a\u0000' }, 'merchantOrderId'],
  ])('rejects %s, at its path', (_, change, path) => {
    expect(() => read({ type: 'authorize', ...change })).toThrow(`At path: ${path} -- Expected `);
  });
});

describe('ActionRequest', () => {
  it.each([
    ['an unknown type', { type: 'explode' }, 'but received: "explode"'],
    ['a type named like an inherited property', { type: 'constructor' }, 'but received: "constructor"'],
    ['a type in upper case', { type: 'AUTHORIZE' }, 'but received: "AUTHORIZE"'],
    ['no type', {}, 'but received: undefined'],
    ['a number instead of a type', { type: 5 }, 'but received: 5'],
  ])('rejects %s, at its path', (_, body, received) => {
    expect(() => read(body)).toThrow('At path: type -- Expected one of `"authorize"');
    expect(() => read(body)).toThrow(received);
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['an array', []],
    ['a string', 'authorize'],
  ])('rejects %s', (_, body) => {
    expect(() => read(body)).toThrow(/^Expected an object/);
  });
});

describe.each(['authorize', 'settle'])('The amount of %s', (type) => {
  it.each([0, -1, 0.5, '75000', 100_000_000_000, {}, []])('is rejected if it is not a positive number of cents: %j', (amount) => {
    expect(() => read({ type, amount })).toThrow('At path: amount -- Expected a');
  });
});

describe('ShipmentRequest', () => {
  it.each([
    [1, '1'],
    [9_400_111_899, '9400111899'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('parses the tracking number %j as text', (trackingNumber, parsed) => {
    expect(mask({ trackingNumber }, ShipmentRequest)).toEqual({ trackingNumber: parsed });
  });

  it.each([9.4e21, Number.MAX_SAFE_INTEGER + 1, 0, -1, 1.5, true])('rejects the tracking number %j', (trackingNumber) => {
    expect(() => mask({ trackingNumber }, ShipmentRequest)).toThrow('At path: trackingNumber -- Expected a string');
  });

  it('rejects a carrier that is not text', () => {
    expect(() => mask({ carrierName: 7 }, ShipmentRequest)).toThrow('At path: carrierName -- Expected a string');
  });
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

  it.each([{ quantity: 1 }, { quantity: 1, product: null }, { quantity: 1, product: {} }, { quantity: 1, sku: null }])(
    'is rejected without a sku: %j',
    (item) => {
      expect(() => read({ type: 'refund', lineItems: [item] })).toThrow('At path: lineItems.0.sku');
    },
  );
});

describe.each(['cancel', 'refund'])('ActionRequest for %s', (type) => {
  it.each<[string, object, object]>([
    ['only its type', {}, {}],
    ['an order id, which clients send with every action', { merchantOrderId: 'M-1' }, {}],
    ['null for the line items', { lineItems: null }, {}],
    ['a reason and other unknown fields', { reason: 'broken', note: 'sorry', user: { id: 1 }, currency: 'USD' }, {}],
    ['an amount and unknown fields', { amount: 500, reason: 'broken' }, { amount: 500 }],
    ['an empty list and unknown fields', { lineItems: [], reason: 'broken' }, { lineItems: [] }],
    ['an amount and an unknown number and list', { amount: 500, orderId: 7, tags: ['a'] }, { amount: 500 }],
    [
      'line items and an unknown number',
      { lineItems: [{ sku: 'A', quantity: 1 }], orderId: 7 },
      { lineItems: [{ sku: 'A', quantity: 1 }] },
    ],
  ])('accepts %s', (_what, fields, parsed) => {
    expect(read({ type, ...fields })).toEqual({ type, ...parsed });
  });

  it('rejects an amount of null, which is the JSON of NaN', () => {
    expect(() => read({ type, amount: null })).toThrow('At path: amount -- Expected an integer, but received: null');
  });

  it.each<[string, object, string]>([
    ['a misspelled amount', { amout: 500 }, 'amout'],
    ['an amount in upper case', { AMOUNT: 500 }, 'AMOUNT'],
    ['misspelled line items and an amount of null', { amount: null, lineItem: [] }, 'lineItem'],
    ['an amount with a unit in its name', { amountCents: 500 }, 'amountCents'],
    ['a total', { refund_total: 500 }, 'refund_total'],
    ['items', { items: [] }, 'items'],
    ['a misspelled amount and an empty list', { lineItems: [], amout: 2_500 }, 'amout'],
    ['an amount of 0 and a misspelled amount', { amount: 0, Amount: 2_500 }, 'Amount'],
    ['misspelled line items and an empty list', { lineItems: [], lineItem: [{ sku: 'A', quantity: 1 }] }, 'lineItem'],
    ['a value', { value: 100 }, 'value'],
    ['an unknown number and an empty list', { lineItems: [], refund: 0.5 }, 'refund'],
    ['an unknown number with the name of an inherited property', { constructor: 100 }, 'constructor'],
    ['an unknown list', { positions: [{ id: 1 }] }, 'positions'],
    ['an empty list with an unknown name', { positions: [] }, 'positions'],
    ['a field name of 1,006 characters', { [`amount${'x'.repeat(1_000)}`]: 1 }, `amount${'x'.repeat(54)}`],
  ])('rejects %s, which would otherwise cancel or refund everything', (_what, fields, path) => {
    expect(() => read({ type, ...fields })).toThrow(
      `At path: ${path} -- Expected \`amount\`, \`lineItems\` or neither, but received a field with a similar name, or with a number or a list`,
    );
  });
});

describe('The amount 0', () => {
  it('is accepted in a refund, where the interface defines it as everything', () => {
    expect(read({ type: 'refund', amount: 0, reason: 'broken' })).toEqual({ type: 'refund', amount: 0 });
  });

  it.each([{}, { lineItems: [{ sku: 'A', quantity: 1 }] }])('is rejected in a cancel: %j', (fields) => {
    expect(() => read({ type: 'cancel', amount: 0, ...fields })).toThrow(
      'At path: amount -- Expected a integer greater than or equal to 1',
    );
  });
});
