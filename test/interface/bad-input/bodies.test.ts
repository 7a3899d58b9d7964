/** Bodies whose fields are invalid only together, and bodies that are not objects. */
import { describe, expect, it } from 'vitest';
import { chair, completeCheckoutAndAct, createCart } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const MAX_CENTS = 99_999_999_999;
const ada = { firstName: 'Ada', lastName: 'Lovelace', address: '12 Analytical Way', city: 'Springfield', state: 'IL' };
const product = { name: 'Desk', sku: 'DESK', imageUrl: '', detailUrl: '' };
const line = { price: 100, quantity: 1, sku: 'DESK', product };
const ground = { type: 'Ground', typeId: 'ground', cost: 500 };
const { firstName: _first, lastName: _last, ...place } = ada;
const discountOf = (amount: number) => [{ amount, description: 'x' }];

/** The path of the rejected field, and a request body. */
type BadBody = [path: string, body: unknown];

const badCarts: BadBody[] = [
  ['options', ''],
  ...[{}, { items: [] }, { items: null, customTotal: null }].map((options): BadBody => ['options', { options }]),
  [
    'options',
    {
      options: {
        items: [chair],
        discounts: discountOf(chair.price),
        shippingOptions: [ground, { ...ground, typeId: 'b', cost: 0 }],
      },
    },
  ],
  ['options.items.1', { options: { items: [chair, null] } }],
  ['options.shippingOptions', { options: { customTotal: 100, shippingOptions: [ground, { ...ground, type: 'Again' }] } }],
  ...[
    {},
    { firstName: 'Ada' },
    { lastName: 'Lovelace' },
    { firstName: 'Ada', lastName: '' },
    { fullName: '', firstName: null, lastName: null },
  ].map((names): BadBody => [
    'options.billingContact',
    { options: { customTotal: 100, billingContact: { ...place, ...names } } },
  ]),
  ['options.callbackUrl', { options: { customTotal: 100, callbackUrl: `ftp://${'x'.repeat(1_900)}`, tax: -1 } }],
];

/** Without an amount or line items, a misspelled field would cancel or refund everything. */
const misspelled: Record<string, object> = {
  amout: { amout: 500 },
  Amount: { Amount: 500, merchantOrderId: 'M-1' },
  amountCents: { amountCents: 500 },
  refund_total: { refund_total: 500 },
  lineitems: { lineitems: [{ sku: 'A', quantity: 1 }] },
  lineItem: { lineItems: [], lineItem: [{ sku: 'A', quantity: 1 }] },
  items: { items: [] },
  value: { value: 100 },
  constructor: { constructor: 100 },
  refund: { lineItems: [], refund: 0.5 },
  positions: { positions: ['A'] },
  [`amount${'x'.repeat(54)}`]: { [`amount${'x'.repeat(1_000)}`]: 1 },
};
const badActions: BadBody[] = [
  ['lineItems.0', { type: 'authorize', lineItems: [{ ...line, price: MAX_CENTS, quantity: 2 }] }],
  // The number of entries is checked before the entries, because checking 1 MB of them would block the service.
  ['lineItems', { type: 'authorize', lineItems: Array.from({ length: 501 }, () => null) }],
  ...['cancel', 'refund'].flatMap((type) => [
    ...Object.entries(misspelled).map(([path, fields]): BadBody => [path, { type, ...fields }]),
    // JSON represents NaN as null, so a failed calculation must not become an adjustment of the whole amount.
    ...[{ amount: Number.NaN }, { amount: null, lineItems: null }, { amount: null, lineItems: [{ sku: 'A', quantity: 1 }] }].map(
      (fields): BadBody => ['amount', { type, ...fields }],
    ),
    ...[{}, { product: null }, { product: {} }, { sku: null }].map((item): BadBody => [
      'lineItems.0.sku',
      { type, lineItems: [{ quantity: 1, ...item }] },
    ]),
    ['lineItems.1.quantity', { type, lineItems: [{ sku: 'A', quantity: 1 }, { sku: 'B' }] }] satisfies BadBody,
  ]),
  ['amount', { type: 'cancel', amount: 0, lineItems: [{ sku: 'A', quantity: 1 }] }],
  ['amount', { type: 'refund', amount: -0.4 }],
];

const badShipments: BadBody[] = [['trackingNumber', '{"trackingNumber":9400111899223856928499}']];

const service = await startService();
const merchant = await service.createMerchant();
const { id, transaction: before } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }]);
const { id: cartId } = await createCart(merchant);

describe('Responds 400 to [CHOICE-10]', () => {
  const reject = async (method: string, path: string, body: unknown) => {
    const response = await merchant.call(method, path, { body: typeof body === 'string' ? body : JSON.stringify(body) });
    expect(response).toMatchObject({ status: 400, body: { error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' } });
    return response.body.description as string;
  };

  const operations: [title: string, method: string, path: () => string, bodies: BadBody[]][] = [
    ['POST /carts', 'POST', () => '/carts', badCarts],
    ['POST /transactions/actions/:tx-id', 'POST', () => `/transactions/actions/${id}`, badActions],
    ['POST /transactions/:tx-id/shipment', 'POST', () => `/transactions/${id}/shipment`, badShipments],
    ['PUT /transactions/:tx-id', 'PUT', () => `/transactions/${id}`, []],
    ['POST /carts/:cartId/email', 'POST', () => `/carts/${cartId}/email`, []],
    ['POST /carts/:cartId/text', 'POST', () => `/carts/${cartId}/text`, []],
    ['POST /aslowas', 'POST', () => '/aslowas', []],
  ];

  it.each(
    operations.flatMap(([title, method, path, bodies]) => bodies.map(([field, body]) => ({ title, method, path, field, body }))),
  )('$title with the body $body, at the path $field', async ({ method, path, field, body }) => {
    const description = await reject(method, path(), body);
    expect(description).toContain(`At path: ${field} -- Expected`);
    expect(description.length).toBeLessThan(250);
  });

  it.each(operations)('%s with a body that is not an object', async (_title, method, path) => {
    expect(await reject(method, path(), '[1]')).toContain('Expected an object, but received: a list');
  });

  it.each(['constructor', 'hasOwnProperty', '__proto__', 'toString', 'valueOf', 'toJSON'])(
    'an unknown field that is a property of every object, and names it: %s',
    async (name) => {
      const description = await reject('POST', '/carts', `{"options":{"customTotal":50000,"${name}":{"x":1}}}`);
      expect(description).toBe(`Expected no field named "${name}"`);
    },
  );

  it('any of these bodies, which change nothing', async () => {
    const { query } = service.database;
    expect((await merchant.get(`/transactions/${id}`)).body).toEqual(before);
    expect(await query.selectFrom('transaction_entries').select('type').orderBy('sequence').execute()).toEqual([
      { type: 'created' },
      { type: 'authorized' },
    ]);
    expect(await query.selectFrom('carts').select('id').execute()).toHaveLength(2);
  });
});
