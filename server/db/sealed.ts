import type { JWK } from 'jose';
import type { Json } from './json.ts';
import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Query } from './database.ts';
import { connectionOf } from './engine.ts';
import { type AssociatedData, SealedDataError } from '../base/key-ring.ts';
import type { Schema } from './schema.ts';

/**
 * Tables with a column `sealed`: the primary key, and the other columns that are authenticated with the sealed values. The values of a row
 * that identify a person, or are a secret, are one JSON object, which is sealed as a whole. The columns are those that decide who may see
 * them (decisions/0038).
 */
export const SEALED_TABLES = {
  applications: {
    key: ['id'],
    bound: ['tenantId', 'merchantId', 'programId', 'buyerId', 'cartId', 'sessionHash'],
  },
  agreement_documents: { key: ['id'], bound: ['merchantId', 'applicationId', 'codeHash'] },
  callback_secrets: { key: ['id'], bound: ['merchantId'] },
  carts: { key: ['id'], bound: ['merchantId', 'codeHash'] },
  form_keys: { key: ['id'], bound: [] },
  idempotency_responses: { key: ['merchantId', 'key'], bound: [] },
  idempotency_writes: { key: ['merchantId', 'key', 'ordinal'], bound: [] },
  lookup_keys: { key: ['id'], bound: [] },
  outbox: { key: ['id'], bound: ['merchantId', 'channel', 'transactionId', 'cartId', 'applicationId'] },
  signing_keys: { key: ['kid'], bound: [] },
  transactions: { key: ['id'], bound: ['merchantId', 'cartId', 'applicationId'] },
  user_passkeys: { key: ['id'], bound: ['userId'] },
  users: { key: ['id'], bound: ['tenantId', 'merchantId', 'role', 'refundLimitCents', 'emailHash', 'removedAt'] },
  webhooks: { key: ['id'], bound: ['merchantId'] },
} as const satisfies ProtectedTables;

/** Tables with a column `mac`, which authenticates these columns. Their rows give access, or decide on refunds, without a sealed value. */
export const AUTHENTICATED_TABLES = {
  merchant_keys: { key: ['apiKey'], bound: ['merchantId', 'secretHash', 'createdAt', 'retiredAt'] },
  merchants: { key: ['id'], bound: ['refundApprovalCents'] },
  refund_requests: {
    key: ['id'],
    bound: [
      ...(['merchantId', 'transactionId', 'revision', 'actionJson', 'amountCents', 'requestedBy', 'requestedAt'] as const),
      ...(['expiresAt', 'status', 'decidedBy', 'decidedAt'] as const),
    ],
  },
  signing_keys: { key: ['kid'], bound: ['algorithm', 'publicJwkJson', 'createdAt', 'retiredAt'] },
  user_links: { key: ['tokenHash'], bound: ['userId', 'purpose', 'browserHash', 'expiresAt'] },
  user_sessions: { key: ['tokenHash'], bound: ['userId', 'authenticatedAt', 'endsAt'] },
} as const satisfies ProtectedTables;

type ProtectedTables = {
  [Table in keyof Schema]?: { key: readonly (keyof Schema[Table])[]; bound: readonly (keyof Schema[Table])[] };
};

export type SealedTable = keyof typeof SEALED_TABLES & keyof SealedValues;
export type AuthenticatedTable = keyof typeof AUTHENTICATED_TABLES;

/** The sealed values of each table. The stores of features add the types of theirs. */
export interface SealedValues {
  callback_secrets: string;
  form_keys: string;
  idempotency_writes: { result: unknown };
  lookup_keys: string;
  signing_keys: Json<JWK>;
}

/** The columns of a row that are authenticated with its sealed values. */
export type SealedColumns<Table extends SealedTable> = Pick<
  Schema[Table],
  (typeof SEALED_TABLES)[Table]['key' | 'bound'][number] & keyof Schema[Table]
>;

/** The columns of a row that its authentication code covers. */
export type AuthenticatedColumns<Table extends AuthenticatedTable> = Pick<
  Schema[Table],
  (typeof AUTHENTICATED_TABLES)[Table]['key' | 'bound'][number] & keyof Schema[Table]
>;

/** Returns the associated data of the value of a row. */
export function associatedDataOf<Table extends SealedTable>(table: Table, row: SealedColumns<Table>): AssociatedData {
  return associatedDataIn(table, SEALED_TABLES[table], row);
}

function associatedDataIn(
  table: string,
  { key, bound }: { key: readonly string[]; bound: readonly string[] },
  row: object,
): AssociatedData {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the callers' types require these columns
  const values = row as Readonly<Record<string, string | number | null>>;
  const data: [string, ...(string | number | null)[]] = [table];
  for (const column of key) data.push(values[column]!);
  for (const column of bound) data.push(values[column]!);
  return data;
}

/** Seals a JSON value for its row. Call it for each version of a value: equal values have different ciphertexts. */
export function seal<Table extends SealedTable>(
  query: Kysely<Schema>,
  table: Table,
  row: SealedColumns<Table>,
  value: SealedValues[Table],
): string {
  return connectionOf(query).keyRing.seal(JSON.stringify(value), associatedDataOf(table, row));
}

/** Opens the JSON value of a row, which only `seal` can have written. @throws SealedDataError - the row was changed, or the key of the value is missing. */
export function unseal<Table extends SealedTable>(
  query: Kysely<Schema>,
  table: Table,
  row: SealedColumns<Table> & { sealed: string },
): SealedValues[Table] {
  return JSON.parse(connectionOf(query).keyRing.open(row.sealed, associatedDataOf(table, row)));
}

/** Adds its sealed values to a row that was just read, and returns it. Copying a row of 40 columns takes longer than opening it. */
export function openRow<Table extends SealedTable, Row extends SealedColumns<Table> & { sealed: string }>(
  query: Kysely<Schema>,
  table: Table,
  row: Row,
): Row & SealedValues[Table] {
  return Object.assign(row, unseal(query, table, row));
}

/** Returns the authentication code of a row. */
export function macOf<Table extends AuthenticatedTable>(
  query: Kysely<Schema>,
  table: Table,
  row: AuthenticatedColumns<Table>,
): string {
  return connectionOf(query).keyRing.mac(associatedDataIn(table, AUTHENTICATED_TABLES[table], row));
}

/** Returns true if a holder of the data keys wrote the row. Reports any other row as damaged. */
export function isAuthentic<Table extends AuthenticatedTable>(
  query: Kysely<Schema>,
  table: Table,
  row: AuthenticatedColumns<Table> & { mac: string },
): boolean {
  try {
    connectionOf(query).keyRing.verifyMac(row.mac, associatedDataIn(table, AUTHENTICATED_TABLES[table], row));
    return true;
  } catch (thrown) {
    reportDamage(query, thrown);
    return false;
  }
}

/** @throws Error - `thrown` is not about a damaged row. */
function reportDamage(query: Kysely<Schema>, thrown: unknown): void {
  if (!(thrown instanceof SealedDataError)) throw thrown;
  connectionOf(query).reportDamagedRow(thrown);
}

/** Opens the rows of a list. Leaves damaged ones out, and reports them. */
export async function openRows<Row, Opened>(
  query: Kysely<Schema>,
  rows: readonly Row[],
  open: (row: Row) => Opened | Promise<Opened>,
): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const row of rows) {
    try {
      opened.push(await open(row));
    } catch (thrown) {
      reportDamage(query, thrown);
    }
  }
  return opened;
}

/** Returns the values with these names, to seal them. */
export function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of `Object.fromEntries` has no names
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}

/** Returns the values with other names, to store them as they are. */
export function omit<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Omit<Row, Name> {
  const omitted: readonly PropertyKey[] = names;
  const isPlain = ([name]: [string, unknown]) => !omitted.includes(name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return Object.fromEntries(Object.entries(row).filter(isPlain)) as Omit<Row, Name>;
}

/** The purpose of a keyed hash. Hashes of the same text for different purposes differ. */
export type LookupPurpose =
  | 'address'
  | 'email'
  | 'creator'
  | 'recipient'
  | 'application-recipient'
  | 'code-recipient'
  | 'link-recipient'
  | 'opt-out'
  | 'opt-out-link'
  | 'notice-code'
  | 'consent-code'
  | 'request'
  | 'order-name'
  | 'order-phone'
  | 'application-network'
  | 'proof-network'
  | 'proof-document'
  | 'agreement-copy'
  | 'webhook-test'
  | 'passkey-challenge'
  | 'sign-in-network'
  | 'sign-in-address';

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
  const row = await query.selectFrom('lookup_keys').selectAll().executeTakeFirstOrThrow();
  return Buffer.from(unseal(query, 'lookup_keys', row), 'base64url');
}
