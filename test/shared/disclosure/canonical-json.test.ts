import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../shared/disclosure/canonical-json.ts';
import { elaborate, createDisclosure } from './create-disclosure.ts';

describe('canonicalJson', () => {
  it('serializes the example of RFC 8785, 3.2.2', () => {
    const example = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    const json =
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';

    expect(canonicalJson(example)).toBe(json);
  });

  it('sorts members by UTF-16 code units, as in RFC 8785, 3.2.3', () => {
    const example = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const inOrder = ['Carriage Return', 'One', 'Control', 'Latin', 'Euro', 'Emoji', 'Hebrew'];

    const json = canonicalJson(example);
    expect(inOrder.map((name) => json.indexOf(name)).every((at, index, all) => at > (all[index - 1] ?? -1))).toBe(true);
    expect(canonicalJson({ 10: 1, 9: 2, b: 3, B: 4, a: 5 })).toBe('{"10":1,"9":2,"B":4,"a":5,"b":3}');
  });

  // RFC 8785, Appendix B.
  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [0.0999, '0.0999'],
  ])('serializes %d as %s', (number, json) => {
    expect(canonicalJson(number)).toBe(json);
  });

  it.each([
    [{ b: 1, a: undefined, c: null }, '{"b":1,"c":null}'],
    [{}, '{}'],
    [[], '[]'],
    [[[], {}, [1, [2]]], '[[],{},[1,[2]]]'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['\u2028</script>', '"\u2028</script>"'],
    ['😀', '"😀"'],
    [true, 'true'],
    [null, 'null'],
  ])('serializes %j as %s', (value, json) => {
    expect(canonicalJson(value)).toBe(json);
  });

  it.each([
    [Number.NaN, '$: expected a JSON value, but received NaN'],
    [{ apr: Infinity }, '$.apr: expected a JSON value, but received Infinity'],
    [[1, [() => 1]], '$[1][0]: expected a JSON value, but received function'],
    [{ a: [{ b: 1n }] }, '$.a[0].b: expected a JSON value, but received bigint'],
    [Symbol('a'), '$: expected a JSON value, but received symbol'],
    [undefined, '$: expected a JSON value, but received undefined'],
    [[undefined], '$[0]: expected a JSON value, but received undefined'],
    [Array(1), '$[0]: expected a JSON value, but received undefined'],
    [{ a: 'x\ud800' }, '$.a: expected a JSON value, but received a lone surrogate'],
    [{ '\udc00': 1 }, '$: expected a JSON value, but received a lone surrogate'],
    [new Date(0), '$: expected a JSON value, but received object'],
    [{ a: new Map() }, '$.a: expected a JSON value, but received object'],
  ])('rejects %o', (value, message) => {
    expect(() => canonicalJson(value)).toThrow(RangeError);
    expect(() => canonicalJson(value)).toThrow(message);
  });

  it('returns the same text for a disclosure that was stored as JSON or whose members were reordered', () => {
    const disclosure = createDisclosure(elaborate);
    const reversed = Object.fromEntries(Object.entries(disclosure).toReversed());

    expect(canonicalJson(JSON.parse(JSON.stringify(disclosure)))).toBe(canonicalJson(disclosure));
    expect(canonicalJson(reversed)).toBe(canonicalJson(disclosure));
    expect(JSON.parse(canonicalJson(disclosure))).toEqual(disclosure);
  });

  // A change invalidates every stored hash. If it is intentional, raise DISCLOSURE_VERSION and keep the code that verifies
  // older versions.
  it('returns a text with a known hash for a disclosure', () => {
    const json = canonicalJson(createDisclosure(elaborate, 124_800, { state: 'CA', merchantName: 'Acme Goods' }));

    expect(createHash('sha256').update(json).digest('hex')).toBe(
      '25daa6b32adfec4bad3a742a93da02d05705e3111815289d4ba563a4b534c961',
    );
  });
});
