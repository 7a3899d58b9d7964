import fc from 'fast-check';
import { mask, StructError } from 'superstruct';
import { describe, expect, it, test } from 'vitest';
import type { AnyStruct } from '../../../shared/wire/annotations.ts';
import { CreateCartRequest } from '../../../shared/wire/cart.ts';
import { Timestamp, WebUrl } from '../../../shared/wire/fields.ts';
import { ClockRequest } from '../../../shared/wire/sandbox.ts';
import { EmailCartRequest } from '../../../shared/wire/cart.ts';
import { ActionRequest } from '../../../shared/wire/transaction.ts';
import { namedStructs, operationsIn } from '../../../server/openapi/document.ts';
import { SchemaWriter } from '../../../server/openapi/schema-of.ts';
import { asMeant, newAjv } from '../../support/conformance.ts';
import { intruders, LONE_SURROGATE, mutationsOf, valuesOf } from './json-schema.ts';

const requests = new Map(
  operationsIn('sandbox').flatMap(({ request }) =>
    request ? [[namedStructs.get(request.body)!.name.request, request.body] as const] : [],
  ),
);

function written(struct: AnyStruct) {
  const writer = new SchemaWriter(namedStructs);
  const schema = writer.schemaOf(struct, 'request');
  const validate = newAjv().compile({ ...schema, components: { schemas: writer.components } });
  return { schema, schemas: writer.components, takes: (value: unknown): boolean => validate(value) };
}

/** What the struct has against `value`: the rule that was broken, by the name its struct or refinement has. */
function refusal(value: unknown, struct: AnyStruct): string | undefined {
  try {
    mask(value, struct);
    return undefined;
  } catch (thrown) {
    const { refinement, type } = thrown as StructError;
    return refinement ?? type;
  }
}

const chair = { sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' };
const ada = { fullName: 'Ada', address: '12 Way', city: 'Springfield', state: 'IL' };
const { fullName: _, ...unnamed } = ada;
const cart = (options: object) => ({ options: { customTotal: 1, ...options } });
const dear = { price: 99_999_999_999, quantity: 2 };
const product = { name: '', sku: '', imageUrl: '', detailUrl: '' };
const shipping = { type: 'Standard', typeId: 'standard', cost: 0 };

/** The rules that no schema can state. What breaks one of them is refused although the document takes it. */
const unstated: [rule: string, refusal: string, struct: AnyStruct, broken: unknown][] = [
  ['price times quantity of an article is an amount', 'line-amount', CreateCartRequest, cart({ items: [{ ...chair, ...dear }] })],
  ['the same of an authorized line', 'line-amount', ActionRequest, { type: 'authorize', lineItems: [{ ...dear, product }] }],
  ['no two shipping options have the same id', 'distinct', CreateCartRequest, cart({ shippingOptions: [shipping, shipping] })],
  ['a cart has items or a total', 'priced', CreateCartRequest, { options: { items: [] } }],
  ['a person has a name', 'named', CreateCartRequest, cart({ billingContact: unnamed })],
  ['an address is one that browsers can read', 'url', CreateCartRequest, cart({ completeUrl: 'https://a b' })],
  ['an email address has no invisible characters', 'visible', EmailCartRequest, { email: 'ada\u202e@example.com', name: 'Ada' }],
  ['a moment is not before 1970 anywhere', 'timestamp', ClockRequest, { now: '1969-12-31T23:59:59Z' }],
];

const unstatedRefusals = new Set<string | undefined>(unstated.map(([, name]) => name));

/** Returns true if the struct accepts what its schema describes and, of all other values, only those in `tolerated`. */
function judgesAlike(value: unknown, struct: AnyStruct, takes: (value: unknown) => boolean): boolean {
  const refused = refusal(value, struct);
  const isDescribed = takes(asMeant(value));
  const isUnstated = unstatedRefusals.has(refused) || hasLoneSurrogate(value);
  return (isDescribed && isUnstated) || isDescribed === (refused === undefined);
}

/** Patterns do not exclude lone surrogates (decisions/0016). JSON escapes them. */
const hasLoneSurrogate = (value: unknown) => /\\ud[89a-f]/.test(JSON.stringify(value) ?? '');

const line = { price: 75_000, quantity: 1, product: { ...product, sku: 'CHAIR-1' } };
const refund = (...lineItems: object[]) => ({ type: 'refund', lineItems });

/** What the service understands although no document mentions it (decisions/0016). */
const tolerated: [what: string, struct: AnyStruct, sent: unknown, meant: unknown][] = [
  ['false for no contact', CreateCartRequest, cart({ billingContact: false }), cart({ billingContact: null })],
  ['an object without fields for no contact', CreateCartRequest, cart({ shippingContact: {} }), cart({ shippingContact: null })],
  [
    'blanks for no contact',
    CreateCartRequest,
    cart({ billingContact: { fullName: ' ', address: '', city: null, state: '' } }),
    cart({ billingContact: null }),
  ],
  ['cents that floating point missed', CreateCartRequest, cart({ tax: 19.99 * 100 }), cart({ tax: 1_999 })],
  ['a sku in the product of a line', ActionRequest, refund(line), refund({ ...line, sku: 'CHAIR-1' })],
];

describe.each([...requests])('%s', (_name, struct) => {
  const { schema, schemas, takes } = written(struct);

  it('takes what its schema describes', () => {
    fc.assert(
      fc.property(valuesOf(schema, schemas), (value) => {
        expect(takes(value)).toBe(true);
        expect([undefined, ...unstatedRefusals]).toContain(refusal(value, struct));
      }),
      { numRuns: 100 },
    );
  });

  it('and its schema judge alike what is a little different', () => {
    const mutated = valuesOf(schema, schemas).chain(mutationsOf);
    fc.assert(
      fc.property(mutated, (value) => {
        expect(judgesAlike(value, struct, takes)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each(unstated)('no schema states that %s', (_rule, name, struct, broken) => {
  expect([written(struct).takes(broken), refusal(broken, struct)]).toEqual([true, name]);
});

test('no schema states that text is well-formed Unicode', () => {
  const request = { email: 'ada@example.com', name: LONE_SURROGATE };
  expect([written(EmailCartRequest).takes(request), refusal(request, EmailCartRequest)]).toEqual([true, 'text']);
});

test.each(tolerated)('no schema mentions %s, and the service understands it', (_what, struct, sent, meant) => {
  const { takes } = written(struct);
  expect([takes(sent), takes(meant), mask(sent, struct)]).toEqual([false, true, mask(meant, struct)]);
  expect(asMeant(sent)).toEqual(meant);
  expect(judgesAlike(sent, struct, takes)).toBe(true);
});

test.each([
  ['an address that browsers cannot read', WebUrl, (text: string) => !URL.canParse(text)],
  [
    'a moment before 1970 or after 8999',
    Timestamp,
    (text: string) => !(Date.parse(text) >= 0 && Date.parse(text) < Date.UTC(9_000, 0)),
  ],
])('of texts that a schema takes, none is refused but %s', (_what, struct, isBeyond) => {
  const refused = intruders.filter(
    (value) => value !== LONE_SURROGATE && written(struct).takes(value) && refusal(value, struct) !== undefined,
  );
  expect(refused.filter((value) => !isBeyond(value as string))).toEqual([]);
});

test('there is a schema for every request', () => {
  expect(requests.size).toBeGreaterThanOrEqual(9);
});
