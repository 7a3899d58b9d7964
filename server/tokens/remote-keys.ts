import { ServiceError } from '../errors.ts';
import { type Clock, epochMs } from '../time.ts';
import { isDue, isDueForUnknownKey, isUsable, type KeyAge } from './key-age.ts';
import type { KeySet, KeySource } from './key-source.ts';

/**
 * The keys that an outside issuer publishes, kept as `key-age.ts` says. However many wait for them, they are fetched once.
 *
 * @param fetchKeys - Gets them. Whatever it throws means that the issuer could not be asked.
 * @param onTrouble - Told when it could not.
 */
export function remoteKeys(fetchKeys: () => Promise<KeySet>, clock: Clock, onTrouble: (cause: unknown) => void): KeySource {
  const nowMs = () => epochMs(clock.now());
  let keySet: KeySet | undefined;
  let age: KeyAge = { fetchedAtMs: undefined, failedAtMs: undefined };
  let fetching: Promise<void> | undefined;

  async function fetchAgain(): Promise<void> {
    try {
      keySet = await fetchKeys();
      age = { fetchedAtMs: nowMs(), failedAtMs: undefined };
    } catch (thrown) {
      age = { ...age, failedAtMs: nowMs() };
      onTrouble(thrown);
    } finally {
      fetching = undefined;
    }
  }
  const refresh = (): Promise<void> => (fetching ??= fetchAgain());

  return {
    current: async () => {
      if (isDue(age, nowMs())) await refresh();
      if (!keySet || !isUsable(age, nowMs())) throw unavailable();
      return keySet;
    },
    newest: async () => {
      if (isDueForUnknownKey(age, nowMs())) await refresh();
      // Nobody can say that the issuer does not have the key.
      if (!keySet || age.failedAtMs !== undefined) throw unavailable();
      return keySet;
    },
  };
}

function unavailable(): ServiceError {
  return new ServiceError('issuer-unavailable', 'The issuer of the token did not give its keys; try again in a moment.');
}
