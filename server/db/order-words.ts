import { sql } from 'kysely';
import { phoneDigitsOf } from '../../shared/wire/contact-fields.ts';
import { foldedWords } from '../folded-words.ts';
import type { Instant } from '../time.ts';
import { requireDataKeys } from './data-keys.ts';
import type { Database, Query, Tx } from './database.ts';
import type { OrderWordTable } from './schema.ts';
import { type LookupPurpose, lookupHash, openRow, openRows } from './sealed.ts';

/** The version of the rules by which words are stored. A change of them also needs a migration of the index `transactions_without_words`. */
export const WORDS_VERSION = 2;

/** Most words of a purchase that are stored. */
const MAX_WORDS = 20;

/** Hexadecimal digits of a hash that are stored: 96 bits, of which no two words of a merchant have the same. */
const HASH_DIGITS = 24;

/** Number of purchases whose words are added in one database transaction. */
const BATCH_SIZE = 500;

/** The contacts of a purchase, as far as they are searched. */
interface Contacts {
  billingContact: NamedContact;
  shippingContact: NamedContact;
}

interface NamedContact {
  fullName: string;
  phone: string;
}

/** Returns the keyed hashes of words. Those of two merchants differ. */
export function hashesOfWords(
  query: Query,
  merchantId: string,
  purpose: LookupPurpose & `order-${string}`,
  words: readonly string[],
): Promise<string[]> {
  const hashOf = (word: string) => lookupHash(query, purpose, JSON.stringify([merchantId, word]));
  return Promise.all(words.map(async (word) => (await hashOf(word)).slice(0, HASH_DIGITS)));
}

/** A purchase to find by words. */
interface Purchase extends Contacts {
  id: string;
  merchantId: string;
  createdAt: Instant;
}

/** Adds the words of a purchase, which is stored with `WORDS_VERSION`. */
export async function addOrderWords(tx: Tx, purchase: Purchase): Promise<void> {
  const rows = await rowsOf(tx, purchase);
  if (rows.length > 0) await tx.insertInto('order_words').values(rows).execute();
}

async function rowsOf(query: Query, { id, merchantId, createdAt, ...contacts }: Purchase): Promise<OrderWordTable[]> {
  const both = [contacts.billingContact, contacts.shippingContact];
  const names = [...new Set(both.flatMap(({ fullName }) => foldedWords(fullName)))].slice(0, MAX_WORDS);
  const phones = [...new Set(both.flatMap(({ phone }) => phoneDigitsOf(phone) ?? []))];
  const hashes = [
    ...(await hashesOfWords(query, merchantId, 'order-name', names)),
    ...(await hashesOfWords(query, merchantId, 'order-phone', phones)),
  ];
  return hashes.map((hash) => ({ hash, createdAt, transactionId: id }));
}

/** Deletes the words of a purchase whose contacts are deleted. */
export async function deleteOrderWords(tx: Tx, transactionId: string): Promise<void> {
  await tx.deleteFrom('order_words').where('transactionId', '=', transactionId).execute();
}

/**
 * Adds the words of purchases from before they were stored, or were stored by other rules, to find them by name and phone number. Works in
 * small database transactions, and continues after an interruption. A damaged purchase has no words.
 *
 * @throws Error - a data key is missing.
 */
export async function addMissingWords(database: Database, batchSize = BATCH_SIZE): Promise<void> {
  if (!(await hasMissingWords(database.query))) return;
  await requireDataKeys(database);
  for (;;) {
    const ids = (await withoutWords(database.query).select('id').orderBy('id').limit(batchSize).execute()).map(({ id }) => id);
    if (ids.length > 0) await database.write((tx) => addWordsOf(tx, ids));
    if (ids.length < batchSize) return;
  }
}

/** Locks the purchases, because their contacts may be deleted meanwhile. */
async function addWordsOf(tx: Tx, ids: readonly string[]): Promise<void> {
  const stored = await withoutWords(tx).selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();
  const purchases = await openRows(tx, stored, (row) => openRow(tx, 'transactions', row));
  await tx.deleteFrom('order_words').where('transactionId', 'in', ids).execute();
  for (const purchase of purchases) await addOrderWords(tx, purchase);
  await tx.updateTable('transactions').set({ wordsVersion: WORDS_VERSION }).where('id', 'in', ids).execute();
}

/** Returns true until `addMissingWords` has added the words of all purchases. */
export async function hasMissingWords(query: Query): Promise<boolean> {
  return (await withoutWords(query).select('id').limit(1).executeTakeFirst()) !== undefined;
}

function withoutWords(query: Query) {
  // With a literal, as in the index.
  const isOutdated = sql<boolean>`(words_version is null or words_version < ${sql.lit(WORDS_VERSION)})`;
  return query.selectFrom('transactions').where(isOutdated).where('contactsDeletedAt', 'is', null);
}
