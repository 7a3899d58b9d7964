/** Maximum nesting of JSON. Valid requests have only a few levels. */
const MAX_JSON_DEPTH = 32;

/**
 * Finds what makes parsed JSON unsafe to process: nesting that could exhaust the stack, or a field whose name shadows the prototype
 * or a method such as `toString`. Even formatting an error message with such a value could throw.
 *
 * @returns What was expected and received, or undefined if the value is safe.
 */
export function findUnsafeJson(value: unknown, depthLeft = MAX_JSON_DEPTH): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depthLeft === 0) return `Expected at most ${MAX_JSON_DEPTH} levels of nesting, but received more`;
  const name = ['__proto__', 'toString', 'valueOf', 'toJSON'].find((field) => Object.hasOwn(value, field));
  if (name) return `Expected no field named "${name}"`;
  for (const inner of Object.values(value)) {
    const problem = findUnsafeJson(inner, depthLeft - 1);
    if (problem) return problem;
  }
  return undefined;
}
