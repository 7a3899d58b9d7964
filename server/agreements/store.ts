import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { preparedInsert } from '../db/prepared.ts';
import type { AgreementDocumentTable } from '../db/schema.ts';
import { omit, openRow, seal } from '../db/sealed.ts';
import { hashOfCode, isCode } from '../base/ids.ts';
import type { Instant } from '../base/time.ts';

/** The values of a document that identify the buyer. They are stored sealed. */
interface SealedDocument {
  html: string;
  /** SHA-256 of the document in UTF-8, hexadecimal; also in the payment agreement. */
  sha256: string;
}

declare module '../db/sealed.ts' {
  interface SealedValues {
    agreement_documents: SealedDocument;
  }
}

type StoredRow = Selectable<AgreementDocumentTable>;

/** A signed agreement with its sealed values. */
export type StoredDocument = Omit<StoredRow, 'sealed' | 'codeHash'> & SealedDocument;

/** In hexadecimal. */
const SHA256_LENGTH = 64;

/**
 * Stores a document. It is never changed.
 *
 * @param code - Random part of its link. Only for the buyer: never returned to a merchant or a platform.
 */
export async function addDocument(tx: Tx, { html, sha256, ...row }: StoredDocument, code: string): Promise<void> {
  if (!isCode(code) || sha256.length !== SHA256_LENGTH) {
    throw new Error('Expected a document with a code of 128 bits and its SHA-256');
  }
  const codeHash = hashOfCode(code);
  const sealed = seal(tx, 'agreement_documents', { ...row, codeHash }, { html, sha256 });
  await insertDocument(tx, { ...row, codeHash, sealed });
}

const insertDocument = preparedInsert('agreement_documents');

/** Returns the document at a link. Malformed codes are not queried. */
export async function findDocument(query: Query, code: string): Promise<StoredDocument | undefined> {
  return isCode(code) ? findBy(query, 'codeHash', hashOfCode(code)) : undefined;
}

export function findDocumentOfApplication(query: Query, applicationId: string): Promise<StoredDocument | undefined> {
  return findBy(query, 'applicationId', applicationId);
}

async function findBy(query: Query, column: 'codeHash' | 'applicationId', value: string): Promise<StoredDocument | undefined> {
  const row = await query.selectFrom('agreement_documents').selectAll().where(column, '=', value).executeTakeFirst();
  return row && omit(openRow(query, 'agreement_documents', row), ['sealed', 'codeHash']);
}

/** Returns true if an application has a signed document. */
export async function hasDocument(query: Query, applicationId: string): Promise<boolean> {
  const row = await query
    .selectFrom('agreement_documents')
    .select('id')
    .where('applicationId', '=', applicationId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns true if the link to an application's document was revoked. */
export async function isDocumentRevoked(query: Query, applicationId: string): Promise<boolean> {
  const row = await query
    .selectFrom('document_revocations')
    .select('applicationId')
    .where('applicationId', '=', applicationId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes the link to an application's document. Returns the time of the revocation: now, or earlier. */
export async function addDocumentRevocation(
  tx: Tx,
  applicationId: string,
  now: Instant,
): Promise<{ revokedAt: Instant; isNew: boolean }> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('document_revocations')
    .values({ applicationId, revokedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  const { revokedAt } = await tx
    .selectFrom('document_revocations')
    .select('revokedAt')
    .where('applicationId', '=', applicationId)
    .executeTakeFirstOrThrow();
  return { revokedAt, isNew: numInsertedOrUpdatedRows === 1n };
}
