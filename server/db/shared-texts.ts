import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Instant } from '../time.ts';
import type { Query, Tx } from './database.ts';
import { type Connection, connectionOf, onceCommitted } from './engine.ts';
import { fromJson, toJson } from './json.ts';
import { SealedDataError } from './key-ring.ts';

/** A text with references to texts that it shares with others, to store sealed. */
export interface ShortText {
  /** Complete if it has no `textsHash`. */
  text: string;
  /** Identifies the shared texts. */
  textsHash?: string | undefined;
}

/** In characters. A reference to a shorter text saves nothing after compression. */
const MIN_LENGTH = 10;
/** Limits the time of `replaceTexts`: 550 take 0.2 ms in an e-mail. */
const MAX_TEXTS = 1_000;

/** Separates the parts of sentences that are the same in all texts: at placeholders, line breaks, and characters that HTML escapes. */
export const BETWEEN_VALUES = /\{\w+\}|(?<!\s)\s*\n\s*|[&<>"']/;

/** Returns the parts that are long enough to share, the longest first, each once. */
export function sharable(parts: readonly string[]): string[] {
  return [...new Set(parts)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_TEXTS);
}

/** Returns all strings in a JSON value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/**
 * Returns a text with references instead of texts: their index between two null characters, which neither may contain. Texts must be longer
 * than an index.
 */
export function replaceTexts(text: string, shared: readonly string[]): string {
  return shared.reduce((shortened, part, index) => shortened.replaceAll(part, `\0${index}\0`), text);
}

/** Returns the text that `replaceTexts` has shortened. */
export function restoreTexts(shortened: string, shared: readonly string[]): string {
  return shortened.replace(/\0(\d+)\0/g, (_reference, index: string) => shared[Number(index)]!);
}

/**
 * Stores the texts that a text shares with others, unless they are stored, and returns it with references to them.
 *
 * @param shared - Nothing about a person: they are not sealed, and never deleted.
 */
export async function shortenText(tx: Tx, text: string, shared: readonly string[], createdAt: Instant): Promise<ShortText> {
  // References are between null characters, so a text that contains one is stored whole.
  if (shared.length === 0 || text.includes('\0')) return { text };
  const textsHash = hashOfTexts(shared);
  const stored = storedTexts(tx);
  if (!stored.has(textsHash)) {
    await tx
      .insertInto('document_texts')
      .values({ hash: textsHash, textsJson: toJson(shared), createdAt })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    onceCommitted(tx, () => stored.set(textsHash, shared));
  }
  return { text: replaceTexts(text, shared), textsHash };
}

/** Returns the text that `shortenText` has shortened. @throws SealedDataError - someone without the keys changed its texts. */
export async function restoreText(query: Query, { text, textsHash }: ShortText): Promise<string> {
  return textsHash === undefined ? text : restoreTexts(text, await getTexts(query, textsHash));
}

/** Texts by hash that are committed, of each database. They never change. */
const committedTexts = new WeakMap<Connection, LRUCache<string, readonly string[]>>();

function storedTexts(query: Query): LRUCache<string, readonly string[]> {
  const connection = connectionOf(query);
  const stored = committedTexts.get(connection) ?? new LRUCache({ max: 500 });
  committedTexts.set(connection, stored);
  return stored;
}

async function getTexts(query: Query, hash: string): Promise<readonly string[]> {
  const stored = storedTexts(query).get(hash);
  if (stored) return stored;
  const row = await query.selectFrom('document_texts').select('textsJson').where('hash', '=', hash).executeTakeFirst();
  // The sealed value that has the hash authenticates it.
  if (row === undefined || sha256Hex(row.textsJson) !== hash) {
    throw new SealedDataError(['document_texts', hash], 'the texts were changed');
  }
  const texts = fromJson(row.textsJson);
  onceCommitted(query, () => storedTexts(query).set(hash, texts));
  return texts;
}

/** Hashes of lists that many texts share. */
const hashes = new WeakMap<readonly string[], string>();

function hashOfTexts(shared: readonly string[]): string {
  const hash = hashes.get(shared) ?? sha256Hex(toJson(shared));
  hashes.set(shared, hash);
  return hash;
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
