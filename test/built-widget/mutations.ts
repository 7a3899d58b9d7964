import type { SeededRandom } from '../support/random.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Returns a copy of `value` with another value at `path`, or without it for undefined. */
export function replaceAt(value: unknown, path: readonly string[], replacement: Json | undefined): unknown {
  const copy: unknown = structuredClone(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path exists
  const parent = path.slice(0, -1).reduce((object, key) => Reflect.get(object, key) as object, copy as object);
  const last = path.at(-1)!;
  if (replacement === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, replacement);
  return copy;
}

/** Returns a copy in which one value at any depth is missing or replaced. */
export function mutate(value: unknown, random: SeededRandom): { document: unknown; change: string } {
  const pick = <T>(choices: readonly T[]): T => choices[random.integer(0, choices.length - 1)]!;
  const path = pick(allPaths(value).filter(({ length }) => length > 0));
  const before = path.reduce((object: unknown, key) => Reflect.get(Object(object), key), value);
  const replacement = pick<Json | undefined>([
    undefined,
    null,
    true,
    '',
    'text',
    -1,
    0,
    0.5,
    7,
    1e9,
    1e300,
    2 ** 53,
    [],
    {},
    [null],
    [['a']],
    { en: 'x' },
    typeof before === 'number' ? `${before}` : typeof before,
  ]);
  return { document: replaceAt(value, path, replacement), change: `${path.join('.')} = ${JSON.stringify(replacement)}` };
}

function allPaths(value: unknown, path: string[] = []): string[][] {
  const entries = Object.entries(Object(value) === value ? Object(value) : {});
  return [path, ...entries.flatMap(([key, child]) => allPaths(child, [...path, key]))];
}
