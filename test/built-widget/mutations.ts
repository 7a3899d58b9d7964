import type { SeededRandom } from '../support/random.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A copy of what is at the end of `path` replaced in it; taken away for undefined. */
export function replacedAt(value: unknown, path: readonly string[], by: Json | undefined): unknown {
  const copy: unknown = structuredClone(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path was found in it
  const holder = path.slice(0, -1).reduce((within, key) => Reflect.get(within, key) as object, copy as object);
  const last = path.at(-1)!;
  if (by === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, by);
  return copy;
}

/** A copy with one value, however deep, that is missing or another than it was. */
export function mutated(value: unknown, random: SeededRandom): { document: unknown; what: string } {
  const pick = <T>(among: readonly T[]): T => among[random.integer(0, among.length - 1)]!;
  const path = pick(everyPath(value).filter((of) => of.length > 0));
  const before = path.reduce((within: unknown, key) => Reflect.get(Object(within), key), value);
  const by = pick<Json | undefined>([
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
  return { document: replacedAt(value, path, by), what: `${path.join('.')} = ${JSON.stringify(by)}` };
}

function everyPath(value: unknown, path: string[] = []): string[][] {
  const below = Object.entries(Object(value) === value ? Object(value) : {});
  return [path, ...below.flatMap(([key, of]) => everyPath(of, [...path, key]))];
}
