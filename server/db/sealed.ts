import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Query } from './database.ts';
import { connectionOf } from './engine.ts';
import type { Schema } from './schema.ts';

/**
 * Tables with a column `sealed`, and their primary keys. The values of a row that identify a person, or are a secret, are one JSON
 * object, which is sealed as a whole (decisions/0038).
 */
export const SEALED_TABLES = {
  applications: ['id'],
  agreement_documents: ['id'],
  callback_secrets: ['id'],
  carts: ['id'],
  form_keys: ['id'],
  idempotency_responses: ['merchant_id', 'key'],
  idempotency_writes: ['merchant_id', 'key', 'ordinal'],
  lookup_keys: ['id'],
  outbox: ['id'],
  signing_keys: ['kid'],
  transactions: ['id'],
} as const satisfies { [Table in keyof Schema]?: readonly (keyof Schema[Table])[] };

export type SealedTable = keyof typeof SEALED_TABLES;

/** Where a sealed value is stored: the table, and the primary key of its row. */
type RowPlace = readonly [table: SealedTable, ...primaryKey: (string | number)[]];

/** Seals a JSON value for its row. Call it for each version of a value: equal values have different ciphertexts. */
export function seal(query: Kysely<Schema>, value: unknown, place: RowPlace): string {
  return connectionOf(query).keyRing.seal(JSON.stringify(value), place);
}

/** Opens a JSON value of a row. @throws SealedDataError - it was changed or moved, or its key is missing. */
export function unseal(query: Kysely<Schema>, sealed: string, place: RowPlace): unknown {
  return JSON.parse(connectionOf(query).keyRing.open(sealed, place));
}

/**
 * Adds its sealed values to a row that was just read, and returns it. Copying a row of 30 columns instead makes retrieving a transaction
 * a quarter slower (decisions/0035).
 */
export function openRow<Row extends { sealed: string }>(query: Kysely<Schema>, row: Row, place: RowPlace): Row & object {
  return Object.assign(row, unseal(query, row.sealed, place) as object);
}

/** Returns the values with these names, to seal them. */
export function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}

/** Returns the values with other names, to store them as they are. */
export function omit<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Omit<Row, Name> {
  const isPlain = ([name]: [string, unknown]) => !(names as readonly string[]).includes(name);
  return Object.fromEntries(Object.entries(row).filter(isPlain)) as Omit<Row, Name>;
}

/** What a keyed hash is made of. Hashes of the same text for different purposes differ. */
type LookupPurpose = 'address' | 'email' | 'creator' | 'recipient' | 'application-recipient' | 'code-recipient' | 'request';

/**
 * Returns a keyed hash, to find rows by a value that is stored sealed: HMAC-SHA-256, hexadecimal. Empty for an empty value.
 *
 * Unlike a plain hash, it cannot be guessed from a list of addresses. Its key never changes, so hashes survive the rotation of data
 * keys.
 */
export async function lookupHash(query: Query, purpose: LookupPurpose, value: string): Promise<string> {
  if (value === '') return '';
  const connection = connectionOf(query);
  connection.lookupKey ??= await readLookupKey(query);
  return createHmac('sha256', connection.lookupKey)
    .update(JSON.stringify([purpose, value]))
    .digest('hex');
}

/** Returns the keyed hash of an e-mail address, which is compared without regard to case. */
export function emailHash(query: Query, email: string | undefined): Promise<string> {
  return lookupHash(query, 'email', (email ?? '').trim().toLowerCase());
}

async function readLookupKey(query: Query): Promise<Buffer> {
  const { sealed } = await query.selectFrom('lookup_keys').select('sealed').executeTakeFirstOrThrow();
  return Buffer.from(unseal(query, sealed, ['lookup_keys', 1]) as string, 'base64url');
}
