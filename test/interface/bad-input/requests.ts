/** Every field of every request of the merchant API, with its rule. */
import { chair } from '../../support/checkout.ts';
import { cents, contact, flag, formatted, type Kind, list, map, notNull, object, text, textOrNull, integer } from './kinds.ts';
import { PLACEHOLDER } from './values.ts';

/** A field with its rule. `request` is valid, with a placeholder at `path`. */
export interface Field {
  path: string;
  request: unknown;
  kind: Kind;
}

const optional = { optional: true };
const line = { lines: false };

export const ada = { firstName: 'Ada', lastName: 'Lovelace', address: '12 Analytical Way', city: 'Springfield', state: 'IL' };
const shipping = { type: 'Ground', typeId: 'ground', cost: 500 };
const discount = { amount: 1, description: 'Welcome' };

/** Returns each field of an object, which `request` inserts into a request. */
function fieldsOf(path: string, object_: object, kinds: Record<string, Kind>, request: (changed: object) => unknown): Field[] {
  return Object.entries(kinds).map(([name, kind]) => ({
    path: path === '' ? name : `${path}.${name}`,
    request: request({ ...object_, [name]: PLACEHOLDER }),
    kind,
  }));
}

const url = formatted(
  ['https://shop.example/x', `https://shop.example/${'x'.repeat(1_979)}`],
  [
    'shop.example',
    '//shop.example/p',
    '/p',
    'http:shop.example/p',
    'http:/shop.example/p',
    'https:\\\\shop.example\\p',
    'javascript:alert(1)',
    ' javascript:alert(1)//http://shop.example/',
    'file:///etc/passwd',
    'ftp://shop.example/',
    'https://',
    'https://shop.example/\u0000',
    'https://shop.example/\ud83d',
    `https://shop.example/${'x'.repeat(1_980)}`,
  ],
  optional,
);
/** The longest labels of a domain. */
const LABELS = `${'x'.repeat(63)}.`.repeat(3);

const email = (presence: { optional?: boolean }) =>
  formatted(
    ['ada@example.com', "o'neil+shop%40@example.com", 'x@example.xn--p1ai', `a@${LABELS}${'x'.repeat(56)}.com`],
    [
      'ada',
      '@example.com',
      'ada@',
      'ada@@example.com',
      'ada lovelace@example.com',
      'Ada<ada@example.com>',
      'ada@example.com,eve@example.com',
      'ada@example.com\r\nBcc:eve@example.com',
      'ada..l@example.com',
      'ada@127.0.0.1',
      'jörg@example.com',
      'jorg@exämple.de',
      'ada\u200b@example.com',
      'ad\ud83d@example.com',
      'ad\u0000@example.com',
      `a@${LABELS}${'x'.repeat(57)}.com`,
      `a@${'x'.repeat(64)}.com`,
      `a@example.${'x'.repeat(64)}`,
    ],
    presence,
  );

const phone = (presence: { optional?: boolean }) =>
  formatted(
    ['5550100100', '(555) 010-0100', '555.010.0100', '15550100100', '+1 555 010 0100', '0550100100', '555\u2013010\u20110100'],
    [
      '555010010',
      '25550100100',
      '555010010000',
      '555-010-010x',
      '٥٥٥٠١٠٠١٠٠',
      '5550100100 ext 5',
      '5550100100,5550100101',
      '+44 20 7946 0000',
      '+49 30 123456 78',
      '+5550100100',
      '1+5550100100',
      'call me',
    ],
    presence,
  );

const withOptions = (options: object) => ({ options: { customTotal: 50_000, ...options } });
const contactFields = (name: string): Field[] =>
  fieldsOf(
    `options.${name}`,
    { ...ada, fullName: 'Ada Lovelace' },
    {
      fullName: text(200, optional),
      firstName: text(100, optional),
      lastName: text(100, optional),
      address: text(200, { min: 1 }),
      address2: text(200, optional),
      city: text(100, { min: 1 }),
      state: formatted(['IL', 'DC', ' il '], ['ZZ', 'PR', 'Illinois', 'I', 'ILL', '62', 'constructor']),
      zip: formatted(['62701', '62701-1234', '627011234'], ['6270', '627011', '62701-12', 'SW1A 1AA'], optional),
      email: email(optional),
      phone: phone(optional),
    },
    (changed) => withOptions({ [name]: changed }),
  );

export const cartFields: Field[] = [
  ...fieldsOf(
    '',
    withOptions({}),
    {
      expiration: formatted(
        ['2099-12-31'],
        ['2099-02-29', '2099-13-01', '2099-1-1', '2099-12-31T00:00:00Z', '01/01/2099'],
        optional,
      ),
      createdBy: text(200, optional),
      options: object('options'),
    },
    (changed) => changed,
  ),
  ...fieldsOf(
    'options',
    // The largest total, which includes any tax.
    { items: [chair], customTotal: 99_999_999_999 },
    {
      orderRef: text(200, { ...optional, ...line }),
      callbackUrl: url,
      completeUrl: url,
      errorUrl: url,
      createdBy: text(200, optional),
      cartName: text(200, optional),
      financingProgramId: text(64, optional),
      items: list(500, () => chair),
      discounts: list(100, () => discount),
      shippingOptions: list(50, (index) => ({ ...shipping, typeId: `${index}` })),
      shippingContact: contact('options.shippingContact'),
      billingContact: contact('options.billingContact'),
      disableEditShipping: flag,
      requireShippingContact: flag,
      customTotal: cents(1, optional),
      tax: cents(0, optional),
      metadata: map(50, 'options.metadata.x'),
      buyerId: formatted(
        ['01890a5d-ac96-774b-bcce-b302099a8057', '01890A5D-AC96-774B-BCCE-B302099A8057'],
        [
          '00000000-0000-0000-0000-000000000000',
          '01890a5dac96774bbcceb302099a8057',
          '01890a5d-ac96-074b-bcce-b302099a8057',
          '01890a5d-ac96-774b-ccce-b302099a8057',
          '01890a5d-ac96-774b-bcce-b302099a8057\n',
        ],
        optional,
      ),
    },
    (options) => ({ options }),
  ),
  ...fieldsOf(
    'options.items.0',
    chair,
    {
      name: text(500, optional),
      sku: text(200),
      price: cents(0),
      quantity: integer(1, 10_000),
      imageUrl: textOrNull(2_000),
      detailUrl: textOrNull(2_000),
    },
    (item) => withOptions({ items: [item] }),
  ),
  ...fieldsOf(
    'options.shippingOptions.1',
    shipping,
    { type: text(200, { min: 1 }), typeId: text(200, { min: 1, ...line }), cost: cents(0) },
    (option) => withOptions({ shippingOptions: [{ ...shipping, typeId: 'first' }, option] }),
  ),
  ...fieldsOf('options.discounts.0', discount, { amount: cents(1), description: text(500, { min: 1 }) }, (changed) =>
    withOptions({ discounts: [changed] }),
  ),
  ...contactFields('shippingContact'),
  ...contactFields('billingContact'),
];

const product = { name: 'Desk', sku: 'DESK', imageUrl: '', detailUrl: '' };
export const authorizedLine = { price: 100, quantity: 1, sku: 'DESK', product };
const skuQuantity = { sku: 'CHAIR-1', quantity: 1 };

export const actionFields: Field[] = [
  ...fieldsOf(
    '',
    {},
    {
      type: formatted(
        ['authorize', 'settle', 'cancel', 'refund'],
        ['AUTHORIZE', 'explode', 'toString', '__proto__', 'authorize '],
      ),
    },
    (changed) => changed,
  ),
  ...fieldsOf(
    '',
    { type: 'authorize' },
    {
      lineItems: list(500, () => authorizedLine),
      merchantOrderId: text(200, { ...optional, ...line }),
      amount: cents(1, optional),
    },
    (changed) => changed,
  ),
  ...fieldsOf('', { type: 'settle' }, { amount: cents(1, optional) }, (changed) => changed),
  ...fieldsOf(
    'lineItems.0',
    authorizedLine,
    { price: cents(0), quantity: integer(1, 10_000), sku: text(200, optional), product: object('lineItems.0.product.name') },
    (changed) => ({ type: 'authorize', lineItems: [changed] }),
  ),
  ...fieldsOf(
    'lineItems.0.product',
    product,
    { name: text(500), sku: text(200), imageUrl: textOrNull(2_000), detailUrl: textOrNull(2_000) },
    (changed) => ({ type: 'authorize', lineItems: [{ ...authorizedLine, product: changed }] }),
  ),
  ...['cancel', 'refund'].flatMap((type) => [
    ...fieldsOf(
      '',
      { type },
      { amount: notNull(cents(type === 'cancel' ? 1 : 0, optional)), lineItems: list(500, () => skuQuantity) },
      (changed) => changed,
    ),
    ...fieldsOf('lineItems.0', skuQuantity, { sku: text(200), quantity: integer(1, 5_000_000) }, (changed) => ({
      type,
      lineItems: [changed],
    })),
  ]),
];

const stored = text(200, { ...optional, ...line });
export const orderIdFields = fieldsOf('', {}, { merchantOrderId: stored }, (changed) => changed);
const isSafeCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
const lineOrInteger: Kind = {
  ...stored,
  accepts: (value) => isSafeCount(value) || stored.accepts(value),
  isUndocumented: isSafeCount,
};
export const shipmentFields = fieldsOf(
  '',
  {},
  { trackingNumber: lineOrInteger, carrierName: lineOrInteger },
  (changed) => changed,
);

export const emailFields = fieldsOf(
  '',
  { email: 'ada@example.com', name: 'Ada' },
  { email: email({}), name: text(200, { min: 1, ...line }) },
  (changed) => changed,
);
export const textFields = fieldsOf('', {}, { phone: phone({}) }, (changed) => changed);

export const quoteFields = fieldsOf(
  '',
  { customTotal: 50_000 },
  { customTotal: cents(1), financingProgramId: text(64, optional) },
  (changed) => changed,
);

/** Any string is accepted, and none of the test values is the id of a cart. */
const anyString: Kind = {
  accepts: (value) => typeof value === 'string',
  edges: [['10,000 characters', JSON.stringify('x'.repeat(10_000))]],
};
const outcome = formatted(['approved', 'denied', 'remainder-declined'], ['APPROVED', 'toString']);
export const checkoutFields = fieldsOf(
  '',
  { cartId: 'unknown' },
  {
    cartId: anyString,
    outcome: { ...outcome, accepts: (value) => (value ?? undefined) === undefined || outcome.accepts(value) },
  },
  (changed) => changed,
);
