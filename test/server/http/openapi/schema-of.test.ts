import fc from 'fast-check';
import { mask, StructError } from 'superstruct';
import { describe, expect, it, test } from 'vitest';
import type { AnyStruct } from '../../../../shared/wire/annotations.ts';
import { CreateCartRequest } from '../../../../shared/wire/cart.ts';
import { Timestamp, WebUrl } from '../../../../shared/wire/fields.ts';
import { ClockRequest } from '../../../../shared/wire/sandbox.ts';
import { EmailCartRequest } from '../../../../shared/wire/cart.ts';
import { ActionRequest, ShipmentRequest } from '../../../../shared/wire/transaction.ts';
import { namedStructs, operationsIn } from '../../../../server/http/openapi/document.ts';
import { SchemaWriter } from '../../../../server/http/openapi/schema-of.ts';
import { firstSeed, isNightly } from '../../../support/campaign.ts';
import { type Json, normalizeInput, newAjv } from '../../../support/conformance.ts';
import {
  boundaryValues,
  FIRST,
  LONE_SURROGATE,
  mutated,
  pathsIn,
  replaced,
  ValidValues,
} from '../../../support/openapi-values.ts';
import { seededRandom } from '../../../support/random.ts';

const requests = new Map(
  operationsIn('sandbox').flatMap(({ request }) =>
    request ? [[namedStructs.get(request.body)!.name.request, request.body] as const] : [],
  ),
);

function convert(struct: AnyStruct) {
  const writer = new SchemaWriter(namedStructs);
  const schema = writer.schemaOf(struct, 'request');
  const validate = newAjv().compile({ ...schema, components: { schemas: writer.components } });
  return { schema, schemas: writer.components, accepts: (value: unknown): boolean => validate(value) };
}

/** Returns the error of an invalid value. */
function errorOf(value: unknown, struct: AnyStruct): StructError | undefined {
  try {
    mask(value, struct);
    return undefined;
  } catch (thrown) {
    return thrown as StructError;
  }
}

/** Returns the name of the struct or refinement that rejects `value`, or undefined if it is valid. */
function rejectionOf(value: unknown, struct: AnyStruct): string | undefined {
  const error = errorOf(value, struct);
  return error?.refinement ?? error?.type;
}

const chair = { sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' };
const ada = { fullName: 'Ada', address: '12 Way', city: 'Springfield', state: 'IL' };
const { fullName: _, ...unnamed } = ada;
const cart = (options: object) => ({ options: { customTotal: 1, ...options } });
const expensive = { price: 99_999_999_999, quantity: 2 };
const product = { name: '', sku: '', imageUrl: '', detailUrl: '' };
const shipping = { type: 'Standard', typeId: 'standard', cost: 0 };

/** Rules that JSON Schema cannot express, with a value that the schema accepts and the struct rejects. */
const inexpressible: [rule: string, rejection: string, struct: AnyStruct, invalid: unknown][] = [
  [
    'price times quantity of an item is at most the maximum amount',
    'line-amount',
    CreateCartRequest,
    cart({ items: [{ ...chair, ...expensive }] }),
  ],
  [
    'price times quantity of an authorized line item is at most the maximum amount',
    'line-amount',
    ActionRequest,
    { type: 'authorize', lineItems: [{ ...expensive, product }] },
  ],
  ['shipping options have unique ids', 'distinct', CreateCartRequest, cart({ shippingOptions: [shipping, shipping] })],
  ['a cart has items or a total', 'priced', CreateCartRequest, { options: { items: [] } }],
  ['a person has a name', 'named', CreateCartRequest, cart({ billingContact: unnamed })],
  ['a URL is one that browsers can parse', 'url', CreateCartRequest, cart({ completeUrl: 'https://a b' })],
  ['a timestamp is not before 1970', 'timestamp', ClockRequest, { now: '1969-12-31T23:59:59Z' }],
];

const inexpressibleRules = new Set<string | undefined>(inexpressible.map(([, name]) => name));

/** Returns true if the struct and its schema agree about a value, apart from `inexpressible` rules and `tolerated` values. */
function isConsistent(value: unknown, struct: AnyStruct, accepts: (value: unknown) => boolean): boolean {
  const rejected = rejectionOf(value, struct);
  const isDocumented = accepts(normalizeInput(value));
  const isInexpressible = inexpressibleRules.has(rejected) || hasLoneSurrogate(value);
  return (isDocumented && isInexpressible) || isDocumented === (rejected === undefined);
}

/** Patterns do not exclude lone surrogates (decisions/0016). JSON escapes them. */
const hasLoneSurrogate = (value: unknown) => /\\ud[89a-f]/.test(JSON.stringify(value) ?? '');

const line = { price: 75_000, quantity: 1, product: { ...product, sku: 'CHAIR-1' } };
const refund = (...lineItems: object[]) => ({ type: 'refund', lineItems });

/** Inputs that the service accepts although they are not documented (decisions/0016). */
const tolerated: [title: string, struct: AnyStruct, sent: unknown, documented: unknown][] = [
  ['false for an absent contact', CreateCartRequest, cart({ billingContact: false }), cart({ billingContact: null })],
  [
    'an object without fields for an absent contact',
    CreateCartRequest,
    cart({ shippingContact: {} }),
    cart({ shippingContact: null }),
  ],
  [
    'blank fields for an absent contact',
    CreateCartRequest,
    cart({ billingContact: { fullName: ' ', address: '', city: null, state: '' } }),
    cart({ billingContact: null }),
  ],
  ['cents with floating-point noise', CreateCartRequest, cart({ tax: 19.99 * 100 }), cart({ tax: 1_999 })],
  ['an integer as the name of a carrier', ShipmentRequest, { carrierName: 7 }, { carrierName: '7' }],
  ['an integer as tracking number', ShipmentRequest, { trackingNumber: 94_001 }, { trackingNumber: '94001' }],
  ['a sku in the product of a line item', ActionRequest, refund(line), refund({ ...line, sku: 'CHAIR-1' })],
];

describe.each([...requests])('%s', (_name, struct) => {
  const { schema, schemas, accepts } = convert(struct);
  const values = new ValidValues({ components: { schemas } }, () => undefined);
  const seeds = { seed: firstSeed, numRuns: isNightly ? 1_000 : 200 };

  it('accepts values that its schema describes', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const value: unknown = values.of(schema, seededRandom(seed));
        expect(accepts(value)).toBe(true);
        expect([undefined, ...inexpressibleRules]).toContain(rejectionOf(value, struct));
      }),
      seeds,
    );
  });

  it('agrees with its schema about mutated values', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        expect(isConsistent(mutated(values.of(schema, random), random), struct, accepts)).toBe(true);
      }),
      seeds,
    );
  });

  it('agrees with its schema about every value at the limits of each field and beyond them, and names a rejected field', () => {
    const problems: string[] = [];
    for (const alternative of schema.oneOf ?? [schema]) {
      const complete: unknown = values.of(alternative, FIRST);
      expect(rejectionOf(complete, struct)).toBeUndefined();
      for (const path of pathsIn(complete)) {
        const at = path.join('.');
        const current = path.reduce((value: Json, name) => value[name], complete);
        const lengths = Array.isArray(current) ? [0, 1, 50, 51, 100, 101, 500, 501] : [];
        const lists = lengths.map((length) => Array.from({ length }, () => current[0]));
        for (const value of [undefined, ...boundaryValues, ...lists]) {
          const changed = replaced(complete, path, value);
          const error = errorOf(changed, struct);
          const isOther = error && !inexpressibleRules.has(error.refinement ?? error.type);
          const rejectedAt = error?.path.slice(0, path.length).join('.');
          if (!isConsistent(changed, struct, accepts) || (isOther && rejectedAt !== at))
            problems.push(`${at}: ${JSON.stringify(value)?.slice(0, 80)}, ${error?.message ?? 'accepted'}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });
});

test.each(inexpressible)('No schema expresses that %s', (_rule, name, struct, invalid) => {
  expect([convert(struct).accepts(invalid), rejectionOf(invalid, struct)]).toEqual([true, name]);
});

test('No schema expresses that text is well-formed Unicode', () => {
  const request = { email: 'ada@example.com', name: LONE_SURROGATE };
  expect([convert(EmailCartRequest).accepts(request), rejectionOf(request, EmailCartRequest)]).toEqual([true, 'text']);
});

test.each(tolerated)('No schema describes %s, which the service accepts', (_title, struct, sent, documented) => {
  const { accepts } = convert(struct);
  expect([accepts(sent), accepts(documented), mask(sent, struct)]).toEqual([false, true, mask(documented, struct)]);
  expect(normalizeInput(sent)).toEqual(documented);
  expect(isConsistent(sent, struct, accepts)).toBe(true);
});

test.each([
  ['a URL that browsers cannot parse', WebUrl, (text: string) => !URL.canParse(text)],
  [
    'a timestamp before 1970 or after 8999',
    Timestamp,
    (text: string) => !(Date.parse(text) >= 0 && Date.parse(text) < Date.UTC(9_000, 0)),
  ],
])('Of the values that the schema accepts, the struct only rejects %s', (_title, struct, isRejected) => {
  const { accepts } = convert(struct);
  const rejected = boundaryValues.filter(
    (value) => value !== LONE_SURROGATE && accepts(value) && rejectionOf(value, struct) !== undefined,
  );
  expect(rejected.filter((value) => !isRejected(value as string))).toEqual([]);
});

test('At least nine operations have a request schema', () => {
  expect(requests.size).toBeGreaterThanOrEqual(9);
});
