import { createHash, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { epochMs, type Instant } from './time.ts';

/** A new identifier: a lower-case UUID of version 7, so that later ones sort after earlier ones. */
export function newId(): string {
  return v7();
}

/**
 * The id of what the `sequence`th change of something brings about: the same for the same. It sorts by moments, then by
 * sequences, and can be guessed.
 */
export function idOf(changed: string, sequence: number, at: Instant): string {
  const random = createHash('sha256').update(`${changed}/${sequence}`).digest().subarray(0, 16);
  return v7({ msecs: epochMs(at), seq: sequence, random });
}

/** Returns an unguessable identifier for links and keys: `bytes` of randomness in URL-safe base64. 16 bytes are 128 bits. */
export function newToken(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const part = pool.subarray(used, (used += bytes));
  const token = part.toString('base64url');
  // What was given out is nowhere else.
  part.fill(0);
  return token;
}

/** Randomness fetched ahead: asking the system costs as much for a thousand bytes as for sixteen. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Whether `text` is a UUID in lower case, as our ids are. Asking the database for anything else is a waste, or an error. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** The UUID that names nothing: RFC 9562, 5.9. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';
