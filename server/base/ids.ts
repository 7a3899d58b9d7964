import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { epochMs, type Instant, instantOf } from './time.ts';

/**
 * Returns a new id: a lower-case UUID, version 7. Ids of this process sort in the order of their creation: a counter follows the milliseconds
 * (RFC 9562, 6.2, method 1). The other bits are those of `randomUUID`, which Node.js reads in blocks; `v7` asks OpenSSL for them each time.
 */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > latest.ms) latest = { ms: nowMs, counter: 0 };
  else latest = latest.counter < MAX_COUNTER ? { ...latest, counter: latest.counter + 1 } : { ms: latest.ms + 1, counter: 0 };
  const time = latest.ms.toString(16).padStart(12, '0');
  const counter = latest.counter.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}${randomUUID().slice(18)}`;
}

/** The counter has 12 bits. */
const MAX_COUNTER = 0xfff;

/** The time and counter of the latest id. */
let latest = { ms: 0, counter: 0 };

/**
 * Returns a deterministic UUID that sorts by time and sequence, for a row that a change creates. It can be guessed: do not use it as
 * a secret.
 *
 * @param subject - Id of the changed row, and the kind of the created one if there are several: `ID/event`.
 * @param sequence - The number of the change, such as the revision of the row.
 */
export function idOf(subject: string, sequence: number, at: Instant): string {
  const random = createHash('sha256').update(`${subject}/${sequence}`).digest().subarray(0, 16);
  return v7({ msecs: epochMs(at), seq: sequence, random });
}

/** Returns the time at which `newId` returned an id, in milliseconds. */
export function timeOfId(id: string): Instant {
  return instantOf(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Returns an id that sorts before all ids from an instant on, and after all earlier ones. */
export function idAt(instant: Instant): string {
  return v7({ msecs: epochMs(instant), seq: 0, random: new Uint8Array(16) });
}

/** Returns an unguessable identifier for links and keys: random bytes in base64url. 16 bytes are 128 bits. */
export function newToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Returns random decimal digits, to be typed by a person. */
export function newDigits(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0');
}

/** Returns the SHA-256 of a random code, secret or token, hexadecimal. It is stored instead of the value. */
export function hashOfCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

/** Returns true for the random code of a link: 128 bits in base64url. */
export function isCode(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** Returns true for the random token of a browser: 256 bits in base64url. */
export function isSessionToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text);
}

/** Returns true for a lower-case UUID. No row has another text as its id, so callers skip the query for it. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** The nil UUID. RFC 9562, 5.9. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';
