/** What is wrong in a text, and where: lines and columns are counted from 1. */
export interface JsonFault {
  line: number;
  column: number;
  /** The first of what cannot be; empty at the end of a line. */
  found: string;
}

/** What may come next in JSON. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'end';

const SPACE = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex -- a string must not have them
const STRING = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Where a text stops being JSON; undefined when it is JSON throughout.
 *
 * For people who write programs by hand: the errors of `JSON.parse` do not always have a position, and never a line number.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const closers: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const afterValue = (): Expected => {
    const closer = closers.at(-1);
    return closer === undefined ? 'end' : closer === ']' ? ', or ]' : ', or }';
  };

  for (;;) {
    skip(SPACE);
    const sign = text[at];
    if (expected === 'end') return sign === undefined ? undefined : faultAt(text, at);
    const isValue = expected === 'value' || expected === 'value or ]';
    const isName = expected === 'name' || expected === 'name or }';
    const maySeparate = expected === ', or ]' || expected === ', or }';

    if (isValue && (sign === '{' || sign === '[')) {
      closers.push(sign === '{' ? '}' : ']');
      expected = sign === '{' ? 'name or }' : 'value or ]';
      at++;
    } else if (isValue && (skip(STRING) || skip(SCALAR))) {
      expected = afterValue();
    } else if (isName && skip(STRING)) {
      expected = ':';
    } else if (expected === ':' && sign === ':') {
      expected = 'value';
      at++;
    } else if (maySeparate && sign === ',') {
      expected = closers.at(-1) === '}' ? 'name' : 'value';
      at++;
    } else if (sign !== undefined && sign === closers.at(-1) && expected.endsWith(sign)) {
      closers.pop();
      expected = afterValue();
      at++;
    } else {
      return faultAt(text, at);
    }
  }
}

function faultAt(text: string, at: number): JsonFault {
  const before = text.slice(0, at).split('\n');
  const [rest = ''] = text.slice(at).split('\n', 1);
  return { line: before.length, column: before.at(-1)!.length + 1, found: rest.trim().slice(0, 20) };
}
