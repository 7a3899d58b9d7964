import { phoneDigitsOf } from '../../shared/wire/contact-fields.ts';
import { foldedWords } from '../base/folded-words.ts';
import type { Instant } from '../base/time.ts';
import type { Query, Tx } from './database.ts';
import type { OrderWordTable } from './schema.ts';
import { type LookupPurpose, lookupHash } from './sealed.ts';

/** Most words of a purchase that are stored. */
const MAX_WORDS = 20;

/** Hexadecimal digits of a hash that are stored: 96 bits, of which no two words of a merchant have the same. */
const HASH_DIGITS = 24;

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
