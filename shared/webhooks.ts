/**
 * Signatures of the Standard Webhooks specification: HMAC-SHA-256 over `id.timestamp.body`.
 *
 * Uses WebCrypto, so that the service and the client package, which also runs on edge runtimes, share one implementation.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

/** `whsec_` and base64, with or without padding. */
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/;

/** Limits of the specification. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/** Maximum number of signatures that are verified. A sender that rotates its secret sends two. */
const MAX_SIGNATURES = 16;

/**
 * Returns the key of a secret.
 *
 * @param secret - `whsec_` and 24 to 64 bytes in base64.
 * @throws TypeError if the secret is invalid. The message does not contain it.
 */
export async function webhookKey(secret: unknown): Promise<CryptoKey> {
  const [, encoded] = (typeof secret === 'string' && SECRET.exec(secret.trim())) || [];
  const key = encoded === undefined ? undefined : fromBase64(encoded);
  if (!key || key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) {
    throw new TypeError('Expected each callback secret to be whsec_ and 24 to 64 bytes in base64, as the service shows it');
  }
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/**
 * Returns the headers that authenticate a message, with one signature for each secret: a receiver accepts any of them.
 *
 * @param id        - The same for every attempt, so that receivers can recognize duplicates.
 * @param atSeconds - The time of this attempt, in seconds since 1970.
 */
export async function signWebhook(
  id: string,
  atSeconds: number,
  body: string,
  secrets: readonly string[],
): Promise<Record<string, string>> {
  const content = contentOf(id, String(atSeconds), new TextEncoder().encode(body));
  const signatures = secrets.map(async (secret) => {
    const signature = await crypto.subtle.sign('HMAC', await webhookKey(secret), content);
    return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}

export interface SignedWebhook {
  /** The header `webhook-id`. */
  id: string;
  /** The header `webhook-timestamp`. */
  timestamp: string;
  /** The header `webhook-signature`. */
  signature: string;
  body: Uint8Array;
}

/**
 * Returns true if a message has a signature by one of `keys`. The caller checks the id and the timestamp.
 *
 * WebCrypto compares in constant time. Only canonical base64 is accepted, so that a signature has one spelling.
 */
export async function isSignedWebhook(
  { id, timestamp, signature, body }: SignedWebhook,
  keys: readonly CryptoKey[],
): Promise<boolean> {
  const content = contentOf(id, timestamp, body);
  const signatures = signature
    .split(' ')
    // The base64 of 32 bytes: of the last character, only four bits are used.
    .filter((candidate) => /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(candidate))
    .slice(0, MAX_SIGNATURES)
    .map((candidate) => fromBase64(candidate.slice('v1,'.length)));
  for (const key of keys) {
    for (const bytes of signatures) if (await crypto.subtle.verify('HMAC', key, bytes, content)) return true;
  }
  return false;
}

function contentOf(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
