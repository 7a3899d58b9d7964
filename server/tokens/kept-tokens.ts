import { hash } from 'node:crypto';

/** What is remembered of tokens, by their hashes: the last `most` of them. */
export interface KeptTokens<T> {
  get(token: string): T | undefined;
  keep(token: string, value: T): void;
  readonly size: number;
}

export function keptTokens<T>(most: number): KeptTokens<T> {
  const values = new Map<string, T>();
  return {
    get size() {
      return values.size;
    },
    get: (token) => values.get(keyOf(token)),
    keep: (token, value) => {
      const key = keyOf(token);
      values.delete(key);
      values.set(key, value);
      // A map is in the order in which it was filled.
      if (values.size > most) values.delete(values.keys().next().value!);
    },
  };
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
