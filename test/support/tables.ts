/** Returns all subsets of a list, each in its order. */
export function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((subsets, item) => [...subsets, ...subsets.map((some) => [...some, item])], [[]]);
}

/** Returns rows for `it.each` from cases that are grouped by their expected outcome. */
export const byOutcome = <T>(groups: Record<string, Record<string, T>>): [title: string, value: T, outcome: string][] =>
  Object.entries(groups).flatMap(([outcome, cases]) =>
    Object.entries(cases).map(([title, value]): [string, T, string] => [title, value, outcome]),
  );
