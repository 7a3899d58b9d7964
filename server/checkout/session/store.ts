import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import type { AgreementDocumentTable } from '../../db/schema.ts';

/** What the forms of this database's checkouts are sealed with. All processes that share the database share it. */
export async function getFormKey(query: Query): Promise<KeyObject> {
  const { key } = await query.selectFrom('form_keys').select('key').executeTakeFirstOrThrow();
  // A key object shows its bytes to nobody who prints it.
  return createSecretKey(Buffer.from(key, 'base64url'));
}

export type AgreementDocumentRow = Selectable<AgreementDocumentTable>;

/** Keeps a document for good: no row is ever changed. */
export async function addDocument(tx: Tx, row: AgreementDocumentRow): Promise<void> {
  await tx.insertInto('agreement_documents').values(row).execute();
}

/** The document behind a link. What cannot be a code of ours is not asked for. */
export async function findDocument(query: Query, code: string): Promise<AgreementDocumentRow | undefined> {
  if (!/^[\w-]{22}$/.test(code)) return undefined;
  return query.selectFrom('agreement_documents').selectAll().where('code', '=', code).executeTakeFirst();
}

/** What the link to an application's document ends with; undefined when there is none. */
export async function findDocumentCode(query: Query, applicationId: string): Promise<string | undefined> {
  const row = await query
    .selectFrom('agreement_documents')
    .select('code')
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  return row?.code;
}
