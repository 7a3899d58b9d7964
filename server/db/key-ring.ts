import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D, 8.2: with random nonces of 96 bits, a key may seal up to 2^32 values. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key that seals data, as `DATA_KEYS` contains it. */
export interface DataKey {
  id: string;
  key: KeyObject;
}

/**
 * Where a sealed value is stored: its table, and the primary key of its row. It is authenticated, so that a value that was moved to
 * another row cannot be opened.
 */
export type Place = readonly [table: string, ...primaryKey: (string | number)[]];

/**
 * The data keys. The first one seals; all of them open.
 *
 * A sealed value is `v1.KEYID.` followed by nonce, ciphertext and tag of AES-256-GCM in base64url (decisions/0038).
 */
export class KeyRing {
  readonly activeId: string;
  readonly ids: readonly string[];
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #active: KeyObject;

  constructor(keys: readonly [DataKey, ...DataKey[]]) {
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
    this.ids = [...this.#keys.keys()];
    this.activeId = keys[0].id;
    this.#active = keys[0].key;
  }

  seal(text: string, place: Place): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#active, nonce).setAAD(aad(place));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return prefixOf(this.activeId) + sealed.toString('base64url');
  }

  /** @throws SealedDataError - no key of the ring has sealed the value for this place. */
  open(sealed: string, place: Place): string {
    const [prefix = '', id = ''] = /^v1\.([^.]*)\./.exec(sealed) ?? [];
    const key = this.#keys.get(id);
    if (!key) throw new SealedDataError(place, `expected a value that is sealed with ${this.ids.join(' or ')}`);
    const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url');
    const end = bytes.length - TAG_BYTES;
    if (end < NONCE_BYTES) throw new SealedDataError(place, 'the value is too short');
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(aad(place)).setAuthTag(bytes.subarray(end));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, end));
      decipher.final();
      return text.toString('utf8');
    } catch (thrown) {
      throw new SealedDataError(place, `the value was not sealed with the key ${id} for this row`, thrown);
    }
  }
}

/** A stored value cannot be opened: it was changed or moved, or its key is missing. */
export class SealedDataError extends Error {
  override readonly name = 'SealedDataError';

  constructor(place: Place, problem: string, cause?: unknown) {
    super(`Cannot open sealed data of ${place.join(' ')}: ${problem}`, { cause });
  }
}

/** The beginning of all values that a key has sealed. */
export function prefixOf(keyId: string): string {
  return `v1.${keyId}.`;
}

function aad(place: Place): Buffer {
  return Buffer.from(JSON.stringify(place));
}

/** Describes `DATA_KEYS` in error messages. */
const EXPECTED_KEYS =
  'comma-separated ID:KEY with 32 random bytes in base64 for each key, such as those that `fairterm data-key create` prints';

/**
 * Parses a key ring: `ID:KEY`, separated by commas or line breaks, the active key first.
 *
 * @param name - Of the variable or file, for error messages. They do not contain its value.
 * @throws Error - the value is not a key ring.
 */
export function parseKeyRing(text: string, name: string): KeyRing {
  const keys = text.split(/[\s,]+/).flatMap((entry) => (entry === '' ? [] : [parseKey(entry, name)]));
  const [first, ...others] = keys;
  if (!first) throw new Error(`${name}: expected ${EXPECTED_KEYS}, but received no key`);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new Error(`${name}: expected keys with different ids, but received one id twice`);
  }
  return new KeyRing([first, ...others]);
}

function parseKey(entry: string, name: string): DataKey {
  const [, id, base64] = /^([A-Za-z0-9_-]{1,40}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry) ?? [];
  if (id === undefined || base64 === undefined) throw new Error(`${name}: expected ${EXPECTED_KEYS}, but received another value`);
  // A key object does not print its bytes.
  return { id, key: createSecretKey(Buffer.from(base64, 'base64')) };
}

/** Returns a new key as `ID:KEY`. */
export function newDataKey(id: string): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}
