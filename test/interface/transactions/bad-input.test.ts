import { beforeAll, describe, expect, it } from 'vitest';
import { completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';

const MAX_CENTS = 99_999_999_999;
const textLongerThan = (length: number) => 'x'.repeat(length + 1);
const product = { name: 'Desk', sku: 'DESK', imageUrl: '', detailUrl: '' };
const line = { price: 100, quantity: 1, product };

/** An invalid value in a request, its path, and the message after the path. */
type InvalidInput = [path: string, request: unknown, message: string];

const invalidIntegers = (path: string, request: (value: unknown) => unknown, min: number, max: number): InvalidInput[] => [
  [path, request('100'), 'Expected an integer, but received: "100"'],
  [path, request(1.5), 'Expected an integer, but received: 1.5'],
  [path, request(true), 'Expected an integer, but received: true'],
  [path, request({}), 'Expected an integer, but received: an object'],
  [path, request([]), 'Expected an integer, but received: a list'],
  [path, request(min - 1), `Expected an integer greater than or equal to ${min} but received \`${min - 1}\``],
  [path, request(-1), `Expected an integer greater than or equal to ${min} but received \`-1\``],
  [path, request(max + 1), `Expected an integer less than or equal to ${max} but received \`${max + 1}\``],
  [path, request(1e300), `Expected an integer less than or equal to ${max} but received \`1e+300\``],
];

const invalidText = (path: string, request: (value: unknown) => unknown, max: number): InvalidInput[] => [
  [path, request(7), 'Expected a string, but received: 7'],
  [path, request(true), 'Expected a string, but received: true'],
  [path, request({}), 'Expected a string, but received: an object'],
  [path, request([]), 'Expected a string, but received: a list'],
  [path, request(textLongerThan(max)), `Expected a string of 0 to ${max} characters, but received one of ${max + 1}`],
  [path, request('a\u0000b'), 'Expected text without control characters, but received some'],
];

const invalidLine = (path: string, request: (value: unknown) => unknown): InvalidInput[] => [
  ...invalidText(path, request, 200),
  [path, request('a\nb'), 'Expected one line, but received more'],
];

const missing = (path: string, request: unknown, expected: string): InvalidInput[] => [
  [path, request, `Expected ${expected}, but received: undefined`],
];

const adjustments: InvalidInput[] = ['cancel', 'refund'].flatMap((type) => [
  ...invalidIntegers('amount', (amount) => ({ type, amount }), type === 'cancel' ? 1 : 0, MAX_CENTS),
  // JSON represents NaN as null, so a failed calculation must not become an adjustment of the whole amount.
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
  ...invalidText('lineItems.0.sku', (sku) => ({ type, lineItems: [{ sku, quantity: 1 }] }), 200),
  ...(
    [
      ['amout', { amout: 500 }],
      ['Amount', { Amount: 500, merchantOrderId: 'M-1' }],
      ['lineitems', { lineitems: [{ sku: 'A', quantity: 1 }], amount: null }],
      ['value', { value: 100 }],
      ['positions', { positions: ['A'] }],
    ] as const
  ).map(([field, misspelled]): InvalidInput => [
    field,
    { type, ...misspelled },
    'Expected `amount`, `lineItems` or neither, but received a field with a similar name, or with a number or a list',
  ]),
  ...missing('lineItems.1.quantity', { type, lineItems: [{ sku: 'A', quantity: 1 }, { sku: 'B' }] }, 'an integer'),
  ['lineItems.0.quantity', { type, lineItems: [{ sku: 'A', quantity: null }] }, 'Expected an integer, but received: null'],
  ...invalidIntegers('lineItems.0.quantity', (quantity) => ({ type, lineItems: [{ sku: 'A', quantity }] }), 1, 5_000_000),
]);

const remainders: InvalidInput[] = ['authorize', 'settle'].flatMap((type) =>
  invalidIntegers('amount', (amount) => ({ type, amount }), 1, MAX_CENTS),
);

const authorize = (lineItems: unknown) => ({ type: 'authorize', lineItems });
const authorizations: InvalidInput[] = [
  ...invalidLine('merchantOrderId', (merchantOrderId) => ({ type: 'authorize', merchantOrderId })),
  ['lineItems', authorize({}), 'Expected an array value, but received: an object'],
  // The number of entries is checked before the entries, because checking 1 MB of them would block the service.
  ['lineItems', authorize(Array.from({ length: 501 }, () => null)), 'Expected at most 500 entries, but received 501'],
  ['lineItems.0', authorize([null]), 'Expected an object, but received: null'],
  ...missing('lineItems.0.price', authorize([{ ...line, price: undefined }]), 'an integer'),
  ...invalidIntegers('lineItems.0.price', (price) => authorize([{ ...line, price }]), 0, MAX_CENTS),
  ...missing('lineItems.0.quantity', authorize([{ ...line, quantity: undefined }]), 'an integer'),
  ...invalidIntegers('lineItems.0.quantity', (quantity) => authorize([{ ...line, quantity }]), 1, 10_000),
  [
    'lineItems.0',
    authorize([{ ...line, price: MAX_CENTS, quantity: 2 }]),
    `Expected price times quantity to be at most ${MAX_CENTS} cents`,
  ],
  ...missing('lineItems.0.product', authorize([{ ...line, product: undefined }]), 'an object'),
  ['lineItems.0.product', authorize([{ ...line, product: 'Desk' }]), 'Expected an object, but received: "Desk"'],
  ...invalidText('lineItems.0.sku', (sku) => authorize([{ ...line, sku }]), 200),
  ...(['name', 'sku', 'imageUrl', 'detailUrl'] as const).flatMap((field) => {
    const max = { name: 500, sku: 200, imageUrl: 2_000, detailUrl: 2_000 }[field];
    const path = `lineItems.0.product.${field}`;
    const withValue = (value: unknown) => authorize([{ ...line, product: { ...product, [field]: value } }]);
    return [...missing(path, withValue(undefined), 'a string'), ...invalidText(path, withValue, max)];
  }),
];

const types: InvalidInput[] = (
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
).map(([type, received]) => [
  'type',
  { type },
  `Expected one of \`"authorize","settle","cancel","refund"\`, but received: ${received}`,
]);

const shipments: InvalidInput[] = [
  ...invalidLine('trackingNumber', (trackingNumber) => ({ trackingNumber })).filter(
    // An integer is accepted.
    ([, , message]) => message !== 'Expected a string, but received: 7',
  ),
  // The digits that are lost would be those of another shipment.
  ['trackingNumber', '{"trackingNumber":9400111899223856928499}', 'Expected a string, but received: 9.400111899223857e+21'],
  ...invalidLine('carrierName', (carrierName) => ({ trackingNumber: 'T-1', carrierName })),
];
const orderIds: InvalidInput[] = invalidLine('merchantOrderId', (merchantOrderId) => ({ merchantOrderId }));

const notObjects = ['[]', '[1]', '"text"', '7', 'null', '{', 'type=settle', '{"type":"settle"}{'];

describe('Responds 400 to invalid input [CHOICE-10]', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let id: string;
  let before: unknown;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
    const created = await completeCheckoutAndAct(merchant, [{ type: 'authorize', merchantOrderId: 'M-1' }]);
    ({ id, transaction: before } = created);
  });

  const expectUnchanged = async () => {
    expect((await merchant.get(`/transactions/${id}`)).body).toEqual(before);
    const journal = service.database.query.selectFrom('transaction_events').select('type').where('transactionId', '=', id);
    expect(await journal.orderBy('sequence').execute()).toEqual([{ type: 'created' }, { type: 'authorized' }]);
  };
  const expectRejected = async (method: string, path: string, request: unknown, message: string) => {
    const response = await merchant.call(method, path, { body: typeof request === 'string' ? request : JSON.stringify(request) });
    expect([response.status, response.body]).toEqual([
      400,
      { description: expect.stringContaining(message), error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' },
    ]);
    await expectUnchanged();
  };

  const endpoints: [string, string, () => string, InvalidInput[]][] = [
    ['an action', 'POST', () => `/transactions/actions/${id}`, [...types, ...authorizations, ...remainders, ...adjustments]],
    ['a shipment', 'POST', () => `/transactions/${id}/shipment`, shipments],
    ['an order id', 'PUT', () => `/transactions/${id}`, orderIds],
  ];
  describe.each(endpoints)('in %s', (_kind, method, path, rows) => {
    const withTitles = rows.map(([field, request, message]): [string, InvalidInput] => [
      `${field} -- ${message} (${JSON.stringify(request).slice(0, 80)})`,
      [field, request, message],
    ]);
    it.each(withTitles)('%s', async (_title, [field, request, message]) => {
      await expectRejected(method, path(), request, `At path: ${field} -- ${message}`);
    });

    it.each([
      ['[]', 'a list'],
      ['[1]', 'a list'],
    ])('if the body is a list, which the message contains: %s', async (body, received) => {
      await expectRejected(method, path(), body, `Expected an object, but received: ${received}`);
    });

    it.each(notObjects)('if the body is not a JSON object: %s', async (body) => {
      await expectRejected(method, path(), body, 'xpected');
    });
  });

  it('but accepts 437.0 as an integer [CHOICE-20]', async () => {
    const { id: other } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }]);
    const response = await merchant.post(`/transactions/actions/${other}`, '{"type":"cancel","amount":437.0}');
    expect(response).toMatchObject({ status: 200, body: { adjustedTotal: 75_000 - 437 } });
  });
});
