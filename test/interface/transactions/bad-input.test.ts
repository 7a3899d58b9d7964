import { beforeAll, describe, expect, it } from 'vitest';
import { completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';

const LARGEST = 99_999_999_999;
const longer = (length: number) => 'x'.repeat(length + 1);
const product = { name: 'Desk', sku: 'DESK', imageUrl: '', detailUrl: '' };
const line = { price: 100, quantity: 1, product };

/** A value that cannot be used, where it is, and what is said about it. */
type Row = [path: string, request: unknown, message: string];

const wrongInteger = (path: string, request: (value: unknown) => unknown, least: number, most: number): Row[] => [
  [path, request('100'), 'Expected an integer, but received: "100"'],
  [path, request(1.5), 'Expected an integer, but received: 1.5'],
  [path, request(true), 'Expected an integer, but received: true'],
  [path, request({}), 'Expected an integer, but received: an object'],
  [path, request([]), 'Expected an integer, but received: a list'],
  [path, request(least - 1), `Expected an integer greater than or equal to ${least} but received \`${least - 1}\``],
  [path, request(-1), `Expected an integer greater than or equal to ${least} but received \`-1\``],
  [path, request(most + 1), `Expected an integer less than or equal to ${most} but received \`${most + 1}\``],
  [path, request(1e300), `Expected an integer less than or equal to ${most} but received \`1e+300\``],
];

const wrongText = (path: string, request: (value: unknown) => unknown, most: number): Row[] => [
  [path, request(7), 'Expected a string, but received: 7'],
  [path, request(true), 'Expected a string, but received: true'],
  [path, request({}), 'Expected a string, but received: an object'],
  [path, request([]), 'Expected a string, but received: a list'],
  [path, request(longer(most)), `Expected a string of 0 to ${most} characters, but received one of ${most + 1}`],
  [path, request('a\u0000b'), 'Expected text without control characters, but received some'],
];

const wrongLine = (path: string, request: (value: unknown) => unknown): Row[] => [
  ...wrongText(path, request, 200),
  [path, request('a\nb'), 'Expected one line, but received more'],
];

const missing = (path: string, request: unknown, expected: string): Row[] => [
  [path, request, `Expected ${expected}, but received: undefined`],
];

const adjustments: Row[] = ['cancel', 'refund'].flatMap((type) => [
  ...wrongInteger('amount', (amount) => ({ type, amount }), 0, LARGEST),
  // JSON writes NaN as null: a shop whose calculation failed must not move everything.
  ['amount', { type, amount: Number.NaN }, 'Expected an integer, but received: null'],
  ['amount', { type, amount: null, lineItems: null }, 'Expected an integer, but received: null'],
  ['amount', { type, amount: null, lineItems: [{ sku: 'A', quantity: 1 }] }, 'Expected an integer, but received: null'],
  ['lineItems', { type, lineItems: 'all' }, 'Expected an array value, but received: "all"'],
  ['lineItems', { type, lineItems: {} }, 'Expected an array value, but received: an object'],
  ['lineItems', { type, lineItems: 3 }, 'Expected an array value, but received: 3'],
  [
    'lineItems',
    { type, lineItems: Array.from({ length: 501 }, () => ({ sku: 'A', quantity: 1 })) },
    'Expected at most 500 entries, but received 501',
  ],
  ['lineItems.0', { type, lineItems: [null] }, 'Expected an object, but received: null'],
  ['lineItems.0', { type, lineItems: ['CHAIR'] }, 'Expected an object, but received: "CHAIR"'],
  ...missing('lineItems.0.sku', { type, lineItems: [{ quantity: 1 }] }, 'a string'),
  ['lineItems.0.sku', { type, lineItems: [{ sku: null, quantity: 1 }] }, 'Expected a string, but received: null'],
  ...wrongText('lineItems.0.sku', (sku) => ({ type, lineItems: [{ sku, quantity: 1 }] }), 200),
  ...(
    [
      ['amout', { amout: 500 }],
      ['Amount', { Amount: 500, merchantOrderId: 'M-1' }],
      ['lineitems', { lineitems: [{ sku: 'A', quantity: 1 }], amount: null }],
    ] as const
  ).map(([field, stray]): Row => [
    field,
    { type, ...stray },
    'Expected `amount`, `lineItems` or neither, but received a field with a similar name',
  ]),
  ...missing('lineItems.1.quantity', { type, lineItems: [{ sku: 'A', quantity: 1 }, { sku: 'B' }] }, 'an integer'),
  ['lineItems.0.quantity', { type, lineItems: [{ sku: 'A', quantity: null }] }, 'Expected an integer, but received: null'],
  ...wrongInteger('lineItems.0.quantity', (quantity) => ({ type, lineItems: [{ sku: 'A', quantity }] }), 1, 5_000_000),
]);

const authorize = (lineItems: unknown) => ({ type: 'authorize', lineItems });
const authorizations: Row[] = [
  ...wrongLine('merchantOrderId', (merchantOrderId) => ({ type: 'authorize', merchantOrderId })),
  ['lineItems', authorize({}), 'Expected an array value, but received: an object'],
  // Counted first: to look at each of a megabyte of entries keeps everyone else waiting.
  ['lineItems', authorize(Array.from({ length: 501 }, () => null)), 'Expected at most 500 entries, but received 501'],
  ['lineItems.0', authorize([null]), 'Expected an object, but received: null'],
  ...missing('lineItems.0.price', authorize([{ ...line, price: undefined }]), 'an integer'),
  ...wrongInteger('lineItems.0.price', (price) => authorize([{ ...line, price }]), 0, LARGEST),
  ...missing('lineItems.0.quantity', authorize([{ ...line, quantity: undefined }]), 'an integer'),
  ...wrongInteger('lineItems.0.quantity', (quantity) => authorize([{ ...line, quantity }]), 1, 10_000),
  [
    'lineItems.0',
    authorize([{ ...line, price: LARGEST, quantity: 2 }]),
    `Expected price times quantity to be at most ${LARGEST} cents`,
  ],
  ...missing('lineItems.0.product', authorize([{ ...line, product: undefined }]), 'an object'),
  ['lineItems.0.product', authorize([{ ...line, product: 'Desk' }]), 'Expected an object, but received: "Desk"'],
  ...wrongText('lineItems.0.sku', (sku) => authorize([{ ...line, sku }]), 200),
  ...(['name', 'sku', 'imageUrl', 'detailUrl'] as const).flatMap((field) => {
    const most = { name: 500, sku: 200, imageUrl: 2_000, detailUrl: 2_000 }[field];
    const path = `lineItems.0.product.${field}`;
    const having = (value: unknown) => authorize([{ ...line, product: { ...product, [field]: value } }]);
    return [...missing(path, having(undefined), 'a string'), ...wrongText(path, having, most)];
  }),
];

const types: Row[] = (
  [
    [undefined, 'undefined'],
    [null, 'null'],
    ['', '""'],
    ['AUTHORIZE', '"AUTHORIZE"'],
    ['explode', '"explode"'],
    ['constructor', '"constructor"'],
    ['__proto__', '"__proto__"'],
    ['x'.repeat(1_000), `"${'x'.repeat(56)}...`],
    [7, '7'],
    [{}, 'an object'],
    [['settle'], 'a list'],
  ] as const
).map(([type, shown]) => [
  'type',
  { type },
  `Expected one of \`"authorize","settle","cancel","refund"\`, but received: ${shown}`,
]);

const shipments: Row[] = [
  ...wrongLine('trackingNumber', (trackingNumber) => ({ trackingNumber })),
  ...wrongLine('carrierName', (carrierName) => ({ trackingNumber: 'T-1', carrierName })),
];
const orderIds: Row[] = wrongLine('merchantOrderId', (merchantOrderId) => ({ merchantOrderId }));

const notObjects = ['[]', '[1]', '"text"', '7', 'null', '{', 'type=settle', '{"type":"settle"}{'];

describe('Invalid input is rejected with 400 [CHOICE-10]', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let id: string;
  let before: unknown;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
    const given = await completeCheckoutAndAct(merchant, [{ type: 'authorize', merchantOrderId: 'M-1' }]);
    ({ id, transaction: before } = given);
  });

  const requireUnchanged = async () => {
    expect((await merchant.get(`/transactions/${id}`)).body).toEqual(before);
    const journal = service.database.query.selectFrom('transaction_events').select('type').where('transaction_id', '=', id);
    expect(await journal.orderBy('sequence').execute()).toEqual([{ type: 'created' }, { type: 'authorized' }]);
  };
  const requireRejected = async (method: string, path: string, request: unknown, message: string) => {
    const response = await merchant.call(method, path, { body: typeof request === 'string' ? request : JSON.stringify(request) });
    expect([response.status, response.body]).toEqual([
      400,
      { description: expect.stringContaining(message), error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' },
    ]);
    await requireUnchanged();
  };

  const endpoints: [string, string, () => string, Row[]][] = [
    ['an action', 'POST', () => `/transactions/actions/${id}`, [...types, ...authorizations, ...adjustments]],
    ['a shipment', 'POST', () => `/transactions/${id}/shipment`, shipments],
    ['an order id', 'PUT', () => `/transactions/${id}`, orderIds],
  ];
  describe.each(endpoints)('in %s', (_what, method, path, rows) => {
    const named = rows.map(([at, request, message]): [string, Row] => [
      `${at} -- ${message} (${JSON.stringify(request).slice(0, 80)})`,
      [at, request, message],
    ]);
    it.each(named)('%s', async (_name, [at, request, message]) => {
      await requireRejected(method, path(), request, `At path: ${at} -- ${message}`);
    });

    it.each([
      ['[]', 'a list'],
      ['[1]', 'a list'],
    ])('a list, which the message names: %s', async (body, shown) => {
      await requireRejected(method, path(), body, `Expected an object, but received: ${shown}`);
    });

    it.each(notObjects)('a body that is not a JSON object: %s', async (body) => {
      await requireRejected(method, path(), body, 'xpected');
    });
  });

  it('but any spelling of an integer is accepted [CHOICE-20]', async () => {
    const { id: other } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }]);
    const response = await merchant.post(`/transactions/actions/${other}`, '{"type":"cancel","amount":437.0}');
    expect(response).toMatchObject({ status: 200, body: { adjustedTotal: 75_000 - 437 } });
  });

  it('and a body above 1 MB with 413 [LIM-7]', async () => {
    const response = await merchant.post(`/transactions/actions/${id}`, { type: 'settle', note: longer(1_100_000) });
    expect(response).toMatchObject({ status: 413, body: { error: true, code: 'body-too-large' } });
    await requireUnchanged();
  });
});
