import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D, 8.2: with random nonces of 96 bits, a key may seal up to 2^32 values. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Limits memory. No other values are decompressed than those that a holder of the keys has sealed. */
const MAX_DECOMPRESSED_BYTES = 64 * 1024 * 1024;

/** A key that seals data, as `DATA_KEYS` contains it. */
export interface DataKey {
  id: string;
  key: KeyObject;
}

/**
 * The associated data of a sealed value (RFC 5116): its table, the primary key of its row, and the columns of the row that must not change
 * without it. It is authenticated, so that a value that was moved to another row cannot be opened, nor one of a row whose columns were changed.
 */
export type AssociatedData = readonly [table: string, ...columns: (string | number | null)[]];

/**
 * The data keys. The first one seals; all of them open.
 *
 * A sealed value is `v2.KEYID.` followed by nonce, ciphertext and tag of AES-256-GCM in base64url (decisions/0038). The plaintext is a text
 * in UTF-8, compressed with zlib (decisions/0047).
 */
export class KeyRing {
  readonly activeId: string;
  readonly ids: readonly string[];
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #macKeys: ReadonlyMap<string, KeyObject>;
  /** Authentication codes that were verified, with the columns. Most requests read a row with one. */
  readonly #verified = new LRUCache<string, string>({ max: 1_000 });

  constructor(keys: readonly [DataKey, ...DataKey[]]) {
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
    this.#macKeys = new Map(keys.map(({ id, key }) => [id, macKeyOf(key)]));
    this.ids = [...this.#keys.keys()];
    this.activeId = keys[0].id;
  }

  seal(text: string, associatedData: AssociatedData): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#keys.get(this.activeId)!, nonce).setAAD(aad(associatedData));
    const sealed = Buffer.concat([nonce, cipher.update(compressed(text)), cipher.final(), cipher.getAuthTag()]);
    return prefixOf(this.activeId) + sealed.toString('base64url');
  }

  /** @throws SealedDataError - no key of the ring has sealed the value for these columns. */
  open(sealed: string, associatedData: AssociatedData): string {
    const [prefix = '', id = ''] = /^v2\.([^.]*)\./.exec(sealed) ?? [];
    const key = this.#keys.get(id);
    if (!key) throw new SealedDataError(associatedData, `expected a value that is sealed with ${this.ids.join(' or ')}`);
    const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url');
    const end = bytes.length - TAG_BYTES;
    if (end < NONCE_BYTES) throw new SealedDataError(associatedData, 'the value is too short');
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(aad(associatedData)).setAuthTag(bytes.subarray(end));
      const plaintext = decipher.update(bytes.subarray(NONCE_BYTES, end));
      decipher.final();
      return decompressed(plaintext);
    } catch (thrown) {
      throw new SealedDataError(associatedData, `the value was not sealed with the key ${id} for this row`, thrown);
    }
  }

  /** Returns the authentication code of a row without sealed values: `v2.KEYID.` and HMAC-SHA-256 in base64url. */
  mac(associatedData: AssociatedData): string {
    return (
      prefixOf(this.activeId) + hmac(this.#macKeys.get(this.activeId)!, JSON.stringify(associatedData)).toString('base64url')
    );
  }

  /** @throws SealedDataError - no key of the ring has made the code for these columns. */
  verifyMac(mac: string, associatedData: AssociatedData): void {
    const columns = JSON.stringify(associatedData);
    if (this.#verified.get(mac) === columns) return;
    const [prefix = '', id = ''] = /^v2\.([^.]*)\./.exec(mac) ?? [];
    const key = this.#macKeys.get(id);
    const expected = key && hmac(key, columns);
    const received = Buffer.from(mac.slice(prefix.length), 'base64url');
    if (expected?.length === received.length && timingSafeEqual(expected, received)) {
      this.#verified.set(mac, columns);
      return;
    }
    throw new SealedDataError(associatedData, `expected a row that is authenticated with ${this.ids.join(' or ')}`);
  }
}

/** RFC 5869. A key has one purpose: values are sealed with the data key itself. */
function macKeyOf(key: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'fairterm row authentication', KEY_BYTES)));
}

function hmac(key: KeyObject, columns: string): Buffer {
  return createHmac('sha256', key).update(columns).digest();
}

/** A stored row cannot be used: it was changed or moved by someone without the keys, or its key is missing. */
export class SealedDataError extends Error {
  override readonly name = 'SealedDataError';

  readonly table: string;
  /** The first column of its primary key. */
  readonly rowId: string;

  constructor([table, id]: AssociatedData, problem: string, cause?: unknown) {
    super(`Cannot open sealed data of ${table} ${id}: ${problem}`, { cause });
    this.table = table;
    this.rowId = String(id);
  }
}

/** The beginning of all values that a key has sealed or authenticated. */
export function prefixOf(keyId: string): string {
  return `v2.${keyId}.`;
}

/** The first byte of compressed data: RFC 1950, section 2.2. */
const COMPRESSED = 'x';

/** Length from which a text is compressed. Compressing a shorter one takes as long as all else, and saves little. */
const MIN_COMPRESSED_LENGTH = 1_024;

/** A text that begins with that byte is compressed in any case, so that the byte distinguishes both forms. */
function compressed(text: string): Buffer {
  return text.length < MIN_COMPRESSED_LENGTH && !text.startsWith(COMPRESSED) ? Buffer.from(text) : deflateSync(text);
}

function decompressed(plaintext: Buffer): string {
  const isCompressed = plaintext[0] === COMPRESSED.charCodeAt(0);
  return (isCompressed ? inflateSync(plaintext, { maxOutputLength: MAX_DECOMPRESSED_BYTES }) : plaintext).toString();
}

function aad(associatedData: AssociatedData): Buffer {
  return Buffer.from(`v2${JSON.stringify(associatedData)}`);
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

/** Zeros and repeated patterns have fewer different bytes; a random key does with a probability below 10^-24. */
const MIN_DIFFERENT_BYTES = 12;

function parseKey(entry: string, name: string): DataKey {
  const [, id, base64] = /^([A-Za-z0-9_-]{1,40}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry) ?? [];
  if (id === undefined || base64 === undefined) throw new Error(`${name}: expected ${EXPECTED_KEYS}, but received another value`);
  const bytes = Buffer.from(base64, 'base64');
  if (new Set(bytes).size < MIN_DIFFERENT_BYTES) {
    throw new Error(
      `${name}: expected random keys, but the bytes of the key ${id} repeat; create one with \`fairterm data-key create\``,
    );
  }
  // A key object does not print its bytes.
  return { id, key: createSecretKey(bytes) };
}

/** Returns a new key as `ID:KEY`. */
export function newDataKey(id: string): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}
