import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { propertyOf } from '../../../shared/objects.ts';
import { codeOf, failureOf, messageOf, ServiceError } from '../../base/errors.ts';
import { type Clock, epochMs } from '../../base/time.ts';

const TIMEOUT_MS = 2_000;

/** The key sets of large identity providers have 20 KiB. */
const LIMIT_BYTES = 262_144;

/** Time for which the last keys are used while the issuer does not respond. */
const USABLE_MS = 86_400_000;

/** Minimum interval between attempts after a failure, the same as in `Retry-After`. jose has one only after a success. */
const RETRY_MS = 5_000;

/**
 * Returns the lookup of the published keys of an outside issuer. It throws a ServiceError `issuer-unavailable` if the keys cannot be
 * fetched, and the last ones are too old or do not have the key: it may have been published since.
 *
 * @param onFailure - Called with a message that contains neither the address nor anything of the response.
 */
export function remoteKeys(url: string, clock: Clock, onFailure: (message: string) => void): JWTVerifyGetKey {
  const nowMs = () => epochMs(clock.now());
  let last: { keys: KeySet; fetchedAtMs: number } | undefined;
  let failedAtMs = -Infinity;

  const published = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: async (address, options) => {
      // If the clock was set back, the failure is in the future.
      if (Math.abs(nowMs() - failedAtMs) < RETRY_MS) throw unavailable();
      try {
        const keys = await fetchKeys(address, options);
        last = { keys, fetchedAtMs: nowMs() };
        return Response.json(keys.jwks());
      } catch (thrown) {
        failedAtMs = nowMs();
        onFailure(messageOf(thrown));
        throw unavailable();
      }
    },
  });

  return async (header) => {
    try {
      return await published(header);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || !last || nowMs() >= last.fetchedAtMs + USABLE_MS) throw thrown;
      return last.keys(header).catch((cause: unknown) => {
        throw cause instanceof errors.JWKSNoMatchingKey ? thrown : cause;
      });
    }
  };
}

function unavailable(): ServiceError {
  return new ServiceError('issuer-unavailable', 'The issuer of the token did not return its keys; try again in a moment.');
}

type KeySet = ReturnType<typeof createLocalJWKSet>;

class KeysNotFetched extends Error {
  override readonly name = 'KeysNotFetched';
}

/** @throws KeysNotFetched */
async function fetchKeys(url: string, options: RequestInit): Promise<KeySet> {
  try {
    const response = await fetch(url, options);
    const text = await textOf(response);
    if (response.status !== 200) throw new KeysNotFetched(`expected the status 200, but received ${response.status}`);
    return keySetIn(text);
  } catch (thrown) {
    if (thrown instanceof KeysNotFetched) throw thrown;
    // Node reports the code of a network failure in the cause.
    const failure = codeOf(propertyOf(thrown, 'cause')) || failureOf(thrown);
    throw new KeysNotFetched(`expected a response, but received ${failure}`);
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
