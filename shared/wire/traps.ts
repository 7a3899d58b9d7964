/** Nothing that is sent to us is nested deeper than a few levels. */
export const MAX_JSON_DEPTH = 32;

/**
 * What makes parsed JSON a trap for those who look at it: nesting that exhausts the stack, and objects whose own fields take the
 * place of the functions that make text of them, so that they could not even be shown in a refusal, or of what they inherit.
 *
 * @returns What was expected and what came, undefined when there is no trap.
 */
export function trapIn(value: unknown, depthLeft = MAX_JSON_DEPTH): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depthLeft === 0) return `Expected at most ${MAX_JSON_DEPTH} levels of nesting, but received more`;
  const name = ['__proto__', 'toString', 'valueOf', 'toJSON'].find((field) => Object.hasOwn(value, field));
  if (name) return `Expected no field named "${name}"`;
  for (const inner of Object.values(value)) {
    const trap = trapIn(inner, depthLeft - 1);
    if (trap) return trap;
  }
  return undefined;
}
