import { create, validate } from 'superstruct';
import { describe, expect, it } from 'vitest';
import type { AnyStruct } from '../../../shared/wire/annotations.ts';
import { Email, Phone, UsState, Zip } from '../../../shared/wire/contact-fields.ts';
import {
  nullAsAbsent,
  emptyAsAbsent,
  CalendarDate,
  Cents,
  PositiveCents,
  text,
  StandardUuid,
  Timestamp,
  WebUrl,
} from '../../../shared/wire/fields.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';

const notDates = ['2026-02-29', '2026-02-30', '2100-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1'];
const notIsoDates = ['20260101', '01/31/2026', '2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n', '', null, 20_260_101];
const notTimestamps = ['2026-03-31', '2026-03-31T12:00:00', '2026-03-31 12:00:00Z', '2026-03-31T25:00:00Z', 'now', null, 0];
const notTimes = ['2026-03-31T12:60:00Z', '2026-02-30T12:00:00Z', '2026-11-21T24:61:00Z', '+010000-01-01T00:00:00Z'];
const timesOutOfRange = [
  '1970-01-01T00:00:00+00:01',
  '1969-12-31T23:59:59Z',
  '9000-01-01T00:00:00Z',
  '8999-12-31T23:59:59-00:01',
];
const urlOf = (length: number) => `https://shop.example/${'x'.repeat(length - 21)}`;
const notUrls = [
  'shop.example',
  '//shop.example/',
  '/thanks',
  'http:shop.example/p',
  'http:/shop.example/p',
  'https:\\\\shop.example\\p',
  ' javascript:alert(1)//http://shop.example/',
  'file:///etc/passwd',
  'https://shop.example/\u0000',
  'https://shop.example/\ud83d',
  urlOf(2_001),
  'ftp://shop.example',
  'javascript:alert(1)',
  'data:text/html,x',
  7,
];
const malformedUrls = ['\u00a0https://a.example/', 'https://a.example/a\tb', 'https://a.example/\r\nlocation: x', 'https://'];
/** The longest labels of a domain. */
const LABELS = `${'x'.repeat(63)}.`.repeat(3);
const notEmails = [
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
];
const longEmails = [`a@${LABELS}${'x'.repeat(57)}.com`, `a@${'x'.repeat(64)}.com`, `a@example.${'x'.repeat(64)}`];
const notPhones = [
  '555010010',
  '25550100100',
  '555010010000',
  '555-010-010x',
  '٥٥٥٠١٠٠١٠٠',
  '+5550100100',
  '1+5550100100',
  'call me',
];
const foreignPhones = ['5550100100 ext 5', '5550100100,5550100101', '+44 20 7946 0000', '+49 30 123456 78'];
const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';
const notStandardUuids = [
  '00000000-0000-0000-0000-000000000000',
  UUID.replaceAll('-', ''),
  UUID.replace('-7', '-0'),
  UUID.replace('-b', '-c'),
  `${UUID}\n`,
];
const controlCharacters = ['a\u0000b', '\u001b[31mred', 'a\u007f'];
const loneSurrogates = ['a\ud83d', '\ude00b'];

const fields: [name: string, field: AnyStruct, accepted: unknown[], rejected: unknown[]][] = [
  [
    'Cents',
    Cents,
    [0, 1, 437, 99_999_999_999],
    [-1, 0.1, 99_999_999_999.5, 100_000_000_000, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, 1n],
  ],
  ['PositiveCents', PositiveCents, [1], [0]],
  [
    'A text',
    text(20),
    ['Žižek 東京 🪑', 'two\n\tlines\r\n', '', 'x'.repeat(20)],
    [...controlCharacters, ...loneSurrogates, 'x'.repeat(21), 5, null],
  ],
  ['CalendarDate', CalendarDate, ['2026-03-31', '2026-12-31', '2028-02-29', '2000-02-29'], [...notDates, ...notIsoDates]],
  [
    'Timestamp',
    Timestamp,
    ['2026-03-31T12:00:00Z', '2026-03-31T12:00:00.123456Z', '2026-03-31T12:00:00+13:00', '2028-02-29T23:59:59-08:00'],
    [...notTimestamps, ...notTimes, ...timesOutOfRange],
  ],
  [
    'WebUrl',
    WebUrl,
    [
      'https://shop.example',
      'http://localhost:3000/thanks?a=b#c',
      'https://münchen.example/ä',
      'HTTPS://SHOP.EXAMPLE/',
      urlOf(2_000),
    ],
    [...notUrls, ...malformedUrls],
  ],
  [
    'Email',
    Email,
    ['ada@example.com', "o'neil+shop%40@example.com", 'x@example.xn--p1ai', `a@${LABELS}${'x'.repeat(56)}.com`],
    [...notEmails, ...longEmails],
  ],
  [
    'Phone',
    Phone,
    ['5550100100', '(555) 010-0100', '555.010.0100', '15550100100', '+1 555 010 0100', '0550100100', '555\u2013010\u20110100'],
    [...notPhones, ...foreignPhones],
  ],
  ['UsState', UsState, ['IL', 'DC', ' il '], ['ZZ', 'PR', 'Illinois', 'I', 'ILL', '62', 'constructor']],
  ['Zip', Zip, ['62701', '62701-1234', '627011234'], ['6270', '627011', '62701-12', 'SW1A 1AA']],
  ['StandardUuid', StandardUuid, [UUID, UUID.toUpperCase()], notStandardUuids],
];

it.each(fields)('%s accepts valid values and rejects all others', (_name, field, accepted, rejected) => {
  const isAccepted = (value: unknown) => validate(value, field, { coerce: true })[0] === undefined;
  expect(accepted.filter((value) => !isAccepted(value))).toEqual([]);
  expect(rejected.filter(isAccepted)).toEqual([]);
});

describe('Cents', () => {
  it.each([
    ['19.99 times 100', 19.99 * 100, 1_999],
    ['1.1 times 100', 1.1 * 100, 110],
    ['10,000,000.07 times 100', 10_000_000.07 * 100, 1_000_000_007],
    ['an integer', 437, 437],
  ])('rounds %s to cents', (_case, amount, cents) => {
    expect(Object.is(create(amount, Cents), cents)).toBe(true);
  });

  it.each([1.5, 0.999, 1.001, 1_998.99, -0.4, 19.99 * 100 - 1_999, 0.00005, -1e-9])('does not round %s', (amount) => {
    expect(() => create(amount, Cents)).toThrow('Expected an integer');
  });
});

describe('nullAsAbsent and emptyAsAbsent', () => {
  it.each([[undefined], [null]])('parse %s as undefined', (value) => {
    expect(create(value, nullAsAbsent(Cents))).toBeUndefined();
    expect(create(value, emptyAsAbsent(text(20)))).toBeUndefined();
  });

  it('parse an empty string as undefined only with emptyAsAbsent', () => {
    expect(create('', emptyAsAbsent(text(20, 1)))).toBeUndefined();
    expect(create('', nullAsAbsent(text(20)))).toBe('');
  });

  it('keep other values', () => {
    expect([create(0, nullAsAbsent(Cents)), create('x', emptyAsAbsent(text(20)))]).toEqual([0, 'x']);
  });

  it('reject invalid values', () => {
    expect(() => create(-1, nullAsAbsent(Cents))).toThrow();
    expect(() => create('x'.repeat(21), emptyAsAbsent(text(20)))).toThrow();
  });
});

it('US_STATES contains 50 states and DC', () => {
  expect(Object.keys(US_STATES)).toHaveLength(51);
  expect(Object.keys(US_STATES).every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
});
