import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../../server/commands/json-fault.ts';

describe('Text that is not JSON', () => {
  it.each<[text: string, line: number, column: number, found: string]>([
    ['', 1, 1, ''],
    ['{', 1, 2, ''],
    ['{"a": 1,}', 1, 9, '}'],
    ['[1, 2', 1, 6, ''],
    ['[1,, 2]', 1, 4, ', 2]'],
    ['[1 2]', 1, 4, '2]'],
    ['{"a" 1}', 1, 6, '1}'],
    ['{a: 1}', 1, 2, 'a: 1}'],
    ["{'a': 1}", 1, 2, "'a': 1}"],
    ['{"a": 1}\n{"b": 2}', 2, 1, '{"b": 2}'],
    ['{\n  "a": 1,\n  "b": 01\n}', 3, 8, '01'],
    ['{\r\n\t"a": tru\r\n}', 2, 7, 'tru'],
    ['[1.]', 1, 2, '1.]'],
    ['[.5]', 1, 2, '.5]'],
    ['[+1]', 1, 2, '+1]'],
    ['[1e]', 1, 2, '1e]'],
    ['[NaN]', 1, 2, 'NaN]'],
    ['"abc', 1, 1, '"abc'],
    ['"a\tb"', 1, 1, '"a\tb"'],
    ['"\\x"', 1, 1, '"\\x"'],
    ['[1}', 1, 3, '}'],
    ['// note\n{}', 1, 1, '// note'],
    ['\u00a0{}', 1, 1, '{}'],
  ])('%j stops being it at line %i, column %i', (text, line, column, found) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFault(text)).toEqual({ line, column, found });
  });

  it.each([
    '{}',
    ' [ ] ',
    '0',
    '-0.5e+10',
    'null',
    '"\\u00e9\\\\\\"/"',
    '{"a":[{"b":{}},[[],{}],true,false,null,"x",1]}',
    `"${'x'.repeat(500_000)}"`,
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  ])('is not seen where there is JSON', (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(jsonFault(text)).toBeUndefined();
  });

  it('is detected exactly when the engine rejects it, with any character removed or doubled', () => {
    const text = '{"a": [1, -2.5e3, "x\\n", {"b": null}], "c": true}';
    for (let at = 0; at < text.length; at++) {
      for (const changed of [text.slice(0, at) + text.slice(at + 1), text.slice(0, at) + text.slice(at - 1), text.slice(0, at)]) {
        expect([changed, jsonFault(changed) === undefined]).toEqual([changed, isJson(changed)]);
      }
    }
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
