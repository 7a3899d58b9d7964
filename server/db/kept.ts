import type { Database } from './database.ts';

/** What is read with most requests and written once in a while: a thousand of each kind are few bytes. */
const MOST_KEPT = 1_000;

/** A database that can be read, and can say whether anything was written. */
export type Watched = Pick<Database, 'query' | 'stamp'>;

/**
 * Keeps what `load` found for as long as nothing at all was committed, by this process or another, which is asked once in each turn
 * of the event loop. On an engine that cannot say so, every call loads.
 *
 * @param load - Its result must follow from its arguments and the database alone, and an argument left out must mean what an
 *   empty one does; none may hold a NUL. Undefined, and what is thrown, is not kept.
 */
export function whileUnchanged<Args extends readonly (string | undefined)[], T>(
  load: (database: Watched, ...args: Args) => Promise<T>,
): (database: Watched, ...args: Args) => Promise<T> {
  const keptBy = new WeakMap<Watched['query'], { stamp: number; values: Map<string, T> }>();

  return async (database, ...args) => {
    const stamp = database.stamp();
    if (stamp === undefined) return load(database, ...args);
    let kept = keptBy.get(database.query);
    if (kept?.stamp !== stamp) keptBy.set(database.query, (kept = { stamp, values: new Map() }));

    const key = args.length === 1 ? (args[0] ?? '') : args.join('\0');
    const found = kept.values.get(key);
    if (found !== undefined) return found;
    const value = await load(database, ...args);
    // Put where the stamp was that was looked at before: what was written meanwhile has another.
    if (value !== undefined && kept.values.size < MOST_KEPT) kept.values.set(key, value);
    return value;
  };
}
