import type { ApplicationQuery, ApplicationSort } from '../wire/application-query.ts';

export type ApplicationOrder = ApplicationSort;

/** What says where a list begins and how it is sorted, and the option that does so here. */
const optionFor = {
  sort: 'sort',
  limit: 'limit',
  offset: 'offset',
  'lastTimestamp.eq': 'after',
  'lastID.eq': 'after',
} as const satisfies { [Name in keyof ApplicationQuery]?: string };
type Place = keyof typeof optionFor;

type Meant<T> = [T] extends ['true' | 'false'] ? boolean : T extends readonly (infer Item)[] ? readonly Item[] : T;

/**
 * Which applications, in the words of the API; `/docs` says what each means. Days are `2026-03-31`, in UTC. One that is there has a
 * value: a filter that is computed and comes out as nothing would let everything through.
 */
export type ApplicationFilters = {
  readonly [Name in Exclude<keyof ApplicationQuery, Place>]?: Meant<Exclude<ApplicationQuery[Name], undefined>>;
};

/** @throws TypeError - one of `filters` is an option: the option's own value would be sent in its stead. */
export function requireNoPlace(filters: object): void {
  for (const [name, option] of Object.entries(optionFor)) {
    if (name in filters) throw new TypeError(`Expected ${name} not among the filters, but as ${option} among the options`);
  }
}

type Value = string | number | boolean | readonly string[];

/**
 * `asked` as the query of an address; what is a list is repeated.
 *
 * @throws TypeError - a filter that is there and is nothing.
 */
export function queryOf(asked: Readonly<Record<string, Value>>): string {
  const pairs = Object.entries(asked).flatMap(([name, value]) => {
    const all = Array.isArray(value) ? (value as readonly string[]) : [value];
    const isNothing = all.length === 0 || all.some((one) => one === undefined || one === null || one === '');
    if (isNothing) throw new TypeError(`Expected ${name} to be something; leave it out to let everything through`);
    return all.map((one) => [name, String(one)]);
  });
  return new URLSearchParams(pairs).toString();
}
