import { propertyOf } from '../../shared/objects.ts';
import { createLocalJWKSet } from 'jose';
import { codeOf, ServiceError } from '../errors.ts';
import { type Clock, epochMs } from '../time.ts';

/** The public keys of an issuer. A different object identity means that the keys changed. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

export interface KeySource {
  /** Returns the keys to verify tokens with. @throws ServiceError `issuer-unavailable` */
  current(): Promise<KeySet>;
  /**
   * Fetches keys that were added since, to verify a token whose key is unknown.
   *
   * @returns The same set if no keys were added, or if it is too early to fetch again.
   * @throws ServiceError `issuer-unavailable`
   */
  newest(): Promise<KeySet>;
}

/** Time for which keys are cached before they are fetched again, so that a key that was withdrawn is rejected. */
const FRESH_MS = 600_000;

/** Time for which cached keys are used while the issuer does not respond. */
const USABLE_MS = 86_400_000;

/** Minimum interval between fetches for unknown keys, or after a failure. */
const COOL_DOWN_MS = 30_000;

/** Minimum interval between attempts while there are no keys at all: the same as in `Retry-After`. */
const RETRY_MS = 5_000;

/** The last successful fetch, and the last failed one since then. */
export interface KeyAge {
  fetchedAtMs: number | undefined;
  failedAtMs: number | undefined;
}

/** Returns true while the cached keys are valid. */
export function isUsable({ fetchedAtMs }: KeyAge, nowMs: number): boolean {
  return isWithin(USABLE_MS, fetchedAtMs, nowMs);
}

/** Returns true if the keys must be fetched before they are used. */
export function isDue(age: KeyAge, nowMs: number): boolean {
  const pauseMs = isUsable(age, nowMs) ? COOL_DOWN_MS : RETRY_MS;
  return !isWithin(FRESH_MS, age.fetchedAtMs, nowMs) && !isWithin(pauseMs, age.failedAtMs, nowMs);
}

/** Returns true if the keys may be fetched again for a token whose key is unknown. */
export function isDueForUnknownKey({ fetchedAtMs, failedAtMs }: KeyAge, nowMs: number): boolean {
  return !isWithin(COOL_DOWN_MS, fetchedAtMs, nowMs) && !isWithin(COOL_DOWN_MS, failedAtMs, nowMs);
}

/** Returns true if `sinceMs` is less than `durationMs` ago, and false if the clock was set back before it. */
function isWithin(durationMs: number, sinceMs: number | undefined, nowMs: number): boolean {
  return sinceMs !== undefined && nowMs >= sinceMs && nowMs < sinceMs + durationMs;
}

/**
 * The published keys of an outside issuer, cached. Concurrent callers share one fetch.
 *
 * @param load      - Fetches the keys.
 * @param onFailure - Called with what `load` threw.
 */
export function remoteKeys(load: () => Promise<KeySet>, clock: Clock, onFailure: (cause: unknown) => void): KeySource {
  const nowMs = () => epochMs(clock.now());
  let keySet: KeySet | undefined;
  let age: KeyAge = { fetchedAtMs: undefined, failedAtMs: undefined };
  let fetching: Promise<void> | undefined;

  async function fetchAgain(): Promise<void> {
    try {
      keySet = await load();
      age = { fetchedAtMs: nowMs(), failedAtMs: undefined };
    } catch (thrown) {
      age = { ...age, failedAtMs: nowMs() };
      onFailure(thrown);
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
      // Without a response from the issuer, the key may exist.
      if (!keySet || age.failedAtMs !== undefined) throw unavailable();
      return keySet;
    },
  };
}

function unavailable(): ServiceError {
  return new ServiceError('issuer-unavailable', 'The issuer of the token did not return its keys; try again in a moment.');
}

const TIMEOUT_MS = 2_000;

/** The key sets of large identity providers have 20 KiB. */
const LIMIT_BYTES = 262_144;

/** The message contains neither the address nor anything of the response. */
export class KeysNotFetched extends Error {
  override readonly name = 'KeysNotFetched';
}

/**
 * Fetches a JWKS. Redirects are not followed: the keys must come from the configured address.
 *
 * @throws KeysNotFetched if the issuer does not respond in time with a valid key set.
 */
export async function fetchKeys(url: string, timeoutMs = TIMEOUT_MS): Promise<KeySet> {
  const controller = new AbortController();
  const timedOut = new KeysNotFetched(`expected a response in ${timeoutMs} ms`);
  const timeout = setTimeout(() => controller.abort(timedOut), timeoutMs);
  try {
    const { signal } = controller;
    const response = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'application/json' } });
    if (response.status !== 200) throw new KeysNotFetched(`expected the status 200, but received ${response.status}`);
    return keySetIn(await textOf(response));
  } catch (thrown) {
    throw thrown instanceof KeysNotFetched
      ? thrown
      : new KeysNotFetched(`expected a response, but received ${failureOf(thrown)}`);
  } finally {
    clearTimeout(timeout);
    // Closes the connection if the body was not read to its end.
    controller.abort();
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > LIMIT_BYTES) throw new KeysNotFetched(`expected at most ${LIMIT_BYTES} bytes, but received more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function keySetIn(text: string): KeySet {
  try {
    return createLocalJWKSet(JSON.parse(text));
  } catch {
    throw new KeysNotFetched('expected a JSON Web Key Set, but received something else');
  }
}

/** Node reports the code of a network failure in the cause. */
function failureOf(thrown: unknown): string {
  return codeOf(propertyOf(thrown, 'cause')) || (thrown instanceof Error ? thrown.name : 'none');
}
