import { mask as slowly, type Struct } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { AsLowAsRequest } from '../../../shared/wire/as-low-as.ts';
import { CreateCartRequest } from '../../../shared/wire/cart.ts';
import { mask } from '../../../shared/wire/mask.ts';
import { CheckoutRequest } from '../../../shared/wire/sandbox.ts';
import { EmailCartRequest } from '../../../shared/wire/sharing.ts';
import { OpenCartRequest } from '../../../shared/wire/storefront.ts';
import { ActionRequest, ShipmentRequest } from '../../../shared/wire/transaction.ts';
import { chair } from '../../support/given.ts';

const contact = {
  fullName: 'Ada Lovelace',
  address: '1 Main Street',
  city: 'Albany',
  state: 'ny',
  zip: '12207-1234',
  phone: '(518) 555-1234',
};
const options = {
  orderRef: 'A-1',
  completeUrl: 'https://shop.example/thanks',
  items: [chair, { ...chair, name: '' }],
  discounts: [{ amount: 1_000, description: 'Welcome' }],
  shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 0 }],
  shippingContact: contact,
  disableEditShipping: true,
  tax: 100.00000001,
  metadata: { channel: 'web' },
  buyerId: '01890A5D-AC96-774B-BCCE-B302099A8057',
};
const line = { sku: 'S', price: 100, quantity: 2, product: { name: 'Chair', sku: 'S', imageUrl: '', detailUrl: '' } };

const requests: [name: string, struct: Struct, body: unknown][] = [
  ['a cart', CreateCartRequest, { expiration: '2026-11-28', cartName: 'Chair', options }],
  ['a cart from a page', OpenCartRequest, { key: 'k', idempotencyKey: '01890a5d-ac96-774b-bcce-b302099a8057', options }],
  ['a price', AsLowAsRequest, { customTotal: 74_000, financingProgramId: 'standard' }],
  ['an authorization', ActionRequest, { type: 'authorize', merchantOrderId: 'A-1', lineItems: [line] }],
  ['a refund', ActionRequest, { type: 'refund', amount: 100, lineItems: [{ product: { sku: 'S' }, quantity: 1 }] }],
  ['a settlement', ActionRequest, { type: 'settle' }],
  ['a shipment', ShipmentRequest, { trackingNumber: '1Z', carrierName: null }],
  ['an e-mail', EmailCartRequest, { email: 'ada@example.com', name: 'Ada' }],
  ['a checkout', CheckoutRequest, { cartId: 'c', outcome: 'approved' }],
].map(([name, struct, body]) => [name as string, struct as Struct, body]);

const ODD = [
  undefined,
  null,
  '',
  ' ',
  'x'.repeat(2_001),
  'a\nb',
  '\ud800',
  0,
  -1,
  1.5,
  2 ** 53,
  true,
  [],
  [null],
  {},
  { type: 'x' },
  [[1]],
];

describe.each(requests)('%s', (_, struct, body) => {
  it('comes to what superstruct makes of it', () => {
    expect(mask(body, struct)).toEqual(slowly(body, struct));
  });

  it('comes to the same with any odd value in any place, and with a field more', () => {
    for (const path of placesIn(body)) {
      for (const odd of ODD) {
        const changed = withValue(body, path, odd);
        expect(come(mask, changed, struct), `${path.join('.')}: ${JSON.stringify(odd)}`).toEqual(come(slowly, changed, struct));
      }
    }
  });
});

it('leaves what came as it came', () => {
  const body = { unknown: 1, options: { ...options, unknown: [1] } };
  const before = structuredClone(body);
  mask(body, CreateCartRequest);
  expect(body).toEqual(before);
});

/** What is made of a value, or how it is refused. */
function come(by: typeof slowly, value: unknown, struct: Struct): unknown {
  try {
    const made = by(value, struct);
    return { made, json: JSON.stringify(made) };
  } catch (thrown) {
    const { message, path, value: refused, refinement } = thrown as Record<string, unknown>;
    return { message, path, refused, refinement };
  }
}

/** The paths to all that is in a value, itself and a field that it lacks included. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) => placesIn(one, [...path, name]));
  return [path, ...(Array.isArray(value) ? [] : [[...path, 'unknown']]), ...inner];
}

function withValue(value: unknown, [name, ...rest]: readonly string[], odd: unknown): unknown {
  if (name === undefined) return odd;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = withValue(copy[name], rest, odd);
  return copy;
}
