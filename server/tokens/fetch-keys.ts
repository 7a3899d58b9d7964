import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { KeySet } from './key-source.ts';

const TIMEOUT_MS = 2_000;

/** Those of the largest directories have 20 KiB. */
const LIMIT_BYTES = 262_144;

/** Why keys could not be fetched, in words that hold nothing of the address or of what came. */
export class KeysNotFetched extends Error {
  override readonly name = 'KeysNotFetched';
}

/**
 * Fetches a JWKS. Redirects are not followed: who answers is whom the operator wrote down.
 *
 * @throws KeysNotFetched - it did not come in time, or is none.
 */
export async function fetchKeys(url: string, timeoutMs = TIMEOUT_MS): Promise<KeySet> {
  const controller = new AbortController();
  const late = new KeysNotFetched(`expected an answer in ${timeoutMs} ms`);
  const impatience = setTimeout(() => controller.abort(late), timeoutMs);
  try {
    const { signal } = controller;
    const response = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'application/json' } });
    if (response.status !== 200) throw new KeysNotFetched(`expected the status 200, but received ${response.status}`);
    return keySetIn(await textOf(response));
  } catch (thrown) {
    throw thrown instanceof KeysNotFetched ? thrown : new KeysNotFetched(`expected an answer, but received ${codeOf(thrown)}`);
  } finally {
    clearTimeout(impatience);
    // Whatever was not read is not waited for.
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
    return createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
  } catch {
    throw new KeysNotFetched('expected a JSON Web Key Set, but received something else');
  }
}

/** Of a failure on the way, Node tells the code in the cause. */
function codeOf(thrown: unknown): string {
  const { cause, name } = thrown as { cause?: { code?: string }; name?: string };
  return cause?.code ?? name ?? 'none';
}
