import { type Failure, type Struct, validate } from 'superstruct';

/**
 * A parsed response, or its fault for the operator: the field, what was expected, and what kind of value was received. A fault contains no
 * value of the response, which may be personal data.
 */
export type Parsed<T> = { content: T } | { fault: string };

/** Returns the fault of a field. The path of the whole body is empty. */
export function faultAt(path: string, expected: string, received: unknown): { fault: string } {
  return { fault: `${path || 'body'}: expected ${expected}, but received ${kindOf(received)}` };
}

export function parseBy<T, Schema>(struct: Struct<T, Schema>, value: unknown): Parsed<T> {
  const [error, content] = validate(value, struct);
  if (!error) return { content };
  const { path, type, refinement, message, value: received } = relevant(error.failures());
  const name = path.map(safeName).join('.');
  return type === 'never'
    ? { fault: `${name}: expected no such field` }
    : faultAt(name, expectedIn(message, refinement), received);
}

/** Returns the first failure; of a union, that of the alternative that fits best: its fields are valid, or its deepest one is reached. */
function relevant([first, ...others]: Failure[]): Failure {
  if (first?.type !== 'union') return first!;
  const refined = others.find(({ refinement }) => refinement !== undefined);
  if (refined) return refined;
  return others.reduce((deepest, each) => (each.path.length > deepest.path.length ? each : deepest), others[0] ?? first);
}

/** Returns the expected value from a message of superstruct or of our structs, which end with the received value. */
function expectedIn(message: string, refinement: string | undefined): string {
  if (refinement !== undefined && message.startsWith('Expected a value of type')) return refinement;
  const [, expected = 'another value'] = /^Expected (?:the value to satisfy )?(.*?),? but received/s.exec(message) ?? [];
  return expected
    .replaceAll(/[`"]/g, '')
    .replaceAll(/,(?=\w)/g, ', ')
    .replace(/^a (?=integer|array|object)/, 'an ');
}

/** Returns a name of a path. Names of unknown fields are text of the lender, so that only those of usual fields are shown. */
function safeName(name: string | number): string {
  return typeof name === 'number' || /^[a-z][A-Za-z]{0,39}$/.test(name) ? String(name) : '(a field)';
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  return typeof value === 'boolean' ? 'a boolean' : Number.isInteger(value) ? 'an integer' : 'a number';
}
