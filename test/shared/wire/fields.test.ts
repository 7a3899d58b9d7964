import { create, is } from 'superstruct';
import { describe, expect, it } from 'vitest';
import {
  nullAsAbsent,
  emptyAsAbsent,
  CalendarDate,
  Cents,
  PositiveCents,
  text,
  Timestamp,
  WebUrl,
} from '../../../shared/wire/fields.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';

describe('Cents', () => {
  it.each([0, 1, 437, 99_999_999_999])('accepts %d', (amount) => {
    expect(is(amount, Cents)).toBe(true);
  });

  it.each([-1, 0.1, 99_999_999_999.5, 100_000_000_000, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, 1n])(
    'rejects %s',
    (amount) => {
      expect(is(amount, Cents)).toBe(false);
    },
  );

  it.each([
    ['19.99 times 100', 19.99 * 100, 1_999],
    ['1.1 times 100', 1.1 * 100, 110],
    ['10,000,000.07 times 100', 10_000_000.07 * 100, 1_000_000_007],
    ['an integer', 437, 437],
  ])('rounds %s to cents', (_what, amount, cents) => {
    expect(Object.is(create(amount, Cents), cents)).toBe(true);
  });

  it.each([1.5, 0.999, 1.001, 1_998.99, -0.4, 19.99 * 100 - 1_999, 0.00005, -1e-9])('rejects %s', (amount) => {
    expect(() => create(amount, Cents)).toThrow('Expected an integer');
  });

  it('accepts 0, unlike PositiveCents', () => {
    expect([is(0, Cents), is(0, PositiveCents), is(1, PositiveCents)]).toEqual([true, false, true]);
  });
});

describe('text', () => {
  it.each([
    ['characters of any script', 'Žižek 東京 🪑'],
    ['a line break and a tab', 'two\n\tlines\r\n'],
    ['an empty string', ''],
    ['the maximum number of characters', 'x'.repeat(20)],
  ])('accepts %s', (_, value) => {
    expect(is(value, text(20))).toBe(true);
  });

  it.each([
    ['a NUL', 'a\u0000b'],
    ['an escape sequence', '\u001b[31mred'],
    ['a delete character', 'a\u007f'],
    ['a leading lone surrogate', 'a\ud83d'],
    ['a trailing lone surrogate', '\ude00b'],
    ['one character too many', 'x'.repeat(21)],
    ['a number', 5],
    ['null', null],
  ])('rejects %s', (_, value) => {
    expect(is(value, text(20))).toBe(false);
  });
});

describe('CalendarDate', () => {
  it.each(['2026-03-31', '2026-01-01', '2026-12-31', '2028-02-29', '2000-02-29'])('accepts %s', (date) => {
    expect(is(date, CalendarDate)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '20260101',
    '01/31/2026',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
    null,
    20_260_101,
  ])('rejects %j', (date) => {
    expect(is(date, CalendarDate)).toBe(false);
  });
});

describe('Timestamp', () => {
  it.each(['2026-03-31T12:00:00Z', '2026-03-31T12:00:00.123456Z', '2026-03-31T12:00:00+13:00', '2028-02-29T23:59:59-08:00'])(
    'accepts %s',
    (timestamp) => {
      expect(is(timestamp, Timestamp)).toBe(true);
    },
  );

  it.each([
    '2026-03-31',
    '2026-03-31T12:00:00',
    '2026-03-31 12:00:00Z',
    '2026-03-31T25:00:00Z',
    '2026-03-31T12:60:00Z',
    '2026-02-30T12:00:00Z',
    'now',
    1_774_958_400,
    null,
  ])('rejects %j', (timestamp) => {
    expect(is(timestamp, Timestamp)).toBe(false);
  });
});

describe('WebUrl', () => {
  it.each(['https://shop.example', 'http://localhost:3000/thanks?a=b#c', 'https://münchen.example/ä', 'HTTPS://SHOP.EXAMPLE/'])(
    'accepts %s',
    (url) => {
      expect(is(url, WebUrl)).toBe(true);
    },
  );

  it.each([
    'shop.example',
    '//shop.example/',
    '/thanks',
    'ftp://shop.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '\u00a0https://shop.example/',
    'https://shop.example/a\tb',
    'https://shop.example/\r\nlocation: x',
    'https://',
    7,
  ])('rejects %s', (url) => {
    expect(is(url, WebUrl)).toBe(false);
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
