import { createLocalJWKSet, type JWK } from 'jose';
import type { Watched } from '../db/kept.ts';
import { type Clock, epochMs } from '../time.ts';
import { isWithin } from './key-age.ts';
import type { KeySet, KeySource } from './key-source.ts';
import { livePublicKeys } from './store.ts';

/** For how long a process goes by what it has read, on an engine that does not say whether anything was written. */
const UNWATCHED_MS = 2_000;

/** The public halves of the keys that are believed, as a JWKS. RFC 7517, 5. */
export async function publishedKeys({ query }: Pick<Watched, 'query'>): Promise<{ keys: JWK[] }> {
  const live = await livePublicKeys(query);
  return { keys: live.map(({ public_jwk_json }) => JSON.parse(public_jwk_json) as JWK) };
}

/**
 * The keys of this database. One that is retired, by whatever process, is gone at once where the engine says that something was
 * written, and after two seconds where it does not.
 */
export function ownKeys(database: Watched, clock: Clock): KeySource {
  let kept: { keySet: KeySet; written: string; stamp: number | undefined; readAtMs: number } | undefined;

  async function read(): Promise<KeySet> {
    // Asked before: what is committed while the keys are read has another stamp.
    const [stamp, readAtMs] = [database.stamp(), epochMs(clock.now())];
    const live = await livePublicKeys(database.query);
    const written = live.map(({ public_jwk_json }) => public_jwk_json).join();
    // Most of what is written is no key, and what was verified with the same keys stays so.
    const keySet =
      kept?.written === written
        ? kept.keySet
        : createLocalJWKSet({ keys: live.map(({ public_jwk_json }) => JSON.parse(public_jwk_json) as JWK) });
    kept = { keySet, written, stamp, readAtMs };
    return keySet;
  }

  return {
    current: async () => {
      const stamp = database.stamp();
      const isUnchanged =
        kept && (stamp === undefined ? isWithin(UNWATCHED_MS, kept.readAtMs, epochMs(clock.now())) : kept.stamp === stamp);
      return isUnchanged ? kept!.keySet : read();
    },
    newest: () => read(),
  };
}
