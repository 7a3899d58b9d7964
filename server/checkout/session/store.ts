import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import type { AgreementDocumentTable } from '../../db/schema.ts';

/** Returns the key of the form tokens, which all processes on this database share. */
export async function getFormKey(query: Query): Promise<KeyObject> {
  const { key } = await query.selectFrom('form_keys').select('key').executeTakeFirstOrThrow();
  // A key object does not print its bytes.
  return createSecretKey(Buffer.from(key, 'base64url'));
}

export type AgreementDocumentRow = Selectable<AgreementDocumentTable>;

/** Stores a document. Its row is never changed. */
export async function addDocument(tx: Tx, row: AgreementDocumentRow): Promise<void> {
  await tx.insertInto('agreement_documents').values(row).execute();
}

/** Returns the document at a link. Malformed codes are not queried. */
export async function findDocument(query: Query, code: string): Promise<AgreementDocumentRow | undefined> {
  if (!/^[\w-]{22}$/.test(code)) return undefined;
  return query.selectFrom('agreement_documents').selectAll().where('code', '=', code).executeTakeFirst();
}

/** Returns the code of the link to an application's document, or undefined. */
export async function findDocumentCode(query: Query, applicationId: string): Promise<string | undefined> {
  const row = await query
    .selectFrom('agreement_documents')
    .select('code')
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  return row?.code;
}
