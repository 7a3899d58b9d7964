/** Signatures as Standard Webhooks has them: HMAC-SHA-256 over `id.timestamp.body`. @see https://www.standardwebhooks.com */

/** The `=` at the end may be missing; nothing else. */
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/;

/** What Standard Webhooks has for a key. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/**
 * The key of a secret, ready to verify with.
 *
 * @param secret - `whsec_` and 24 to 64 bytes in base64.
 * @throws TypeError - it is none; the message does not repeat it.
 */
export async function callbackKey(secret: unknown): Promise<CryptoKey> {
  const [, encoded] = (typeof secret === 'string' && SECRET.exec(secret.trim())) || [];
  const key = encoded === undefined ? undefined : bytesOf(encoded);
  if (!key || key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) {
    throw new TypeError('Expected each callback secret to be whsec_ and 24 to 64 bytes in base64, as the service shows it');
  }
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** More than a sender that changes its secret needs, and few enough to be tried. */
const MAX_SIGNATURES = 16;

/**
 * The signatures of a header whose scheme we know: `v1,BASE64`, parted by spaces.
 *
 * Only 32 bytes in the one spelling that base64 has for them: in another, a changed letter could mean the same.
 */
export function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  const known = header.split(' ').filter((word) => /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(word));
  return known.slice(0, MAX_SIGNATURES).map((word) => bytesOf(word.slice('v1,'.length)));
}

/** Whether one of `signatures` was made with one of `keys`. WebCrypto compares in constant time. */
export async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  keys: readonly CryptoKey[],
): Promise<boolean> {
  for (const key of keys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
    }
  }
  return false;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
