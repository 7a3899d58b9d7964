import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import type { AgreementDocumentTable } from '../db/schema.ts';
import { seal, unseal } from '../db/sealed.ts';
import { restoreText, shortenText } from '../db/shared-texts.ts';
import { hashOfCode } from '../ids.ts';
import type { Instant } from '../time.ts';

/** The values of a document that identify the buyer. They are stored sealed. */
interface SealedDocument {
  /** As `shortenText` returns it. */
  html: string;
  /** SHA-256 of the complete document in UTF-8, hexadecimal; also in the payment agreement. */
  sha256: string;
  /** Identifies the texts that the document shares with others; absent on documents of earlier releases. */
  textsHash?: string | undefined;
}

declare module '../db/sealed.ts' {
  interface SealedValues {
    agreement_documents: SealedDocument;
  }
}

type StoredRow = Selectable<AgreementDocumentTable>;

/** A signed agreement with its sealed values, complete. */
export type StoredDocument = Omit<StoredRow, 'sealed' | 'codeHash'> & Omit<SealedDocument, 'textsHash'>;

/** A signed agreement to store, with texts that it shares with others. */
export type NewDocument = StoredDocument & { sharedTexts: readonly string[] };

async function openDocument(query: Query, stored: StoredRow): Promise<StoredDocument> {
  const { sealed: _, codeHash: _hash, ...row } = stored;
  const { html, sha256, textsHash } = unseal(query, 'agreement_documents', stored);
  return { ...row, html: await restoreText(query, { text: html, textsHash }), sha256 };
}

/** 128 bits in base64url. */
const CODE_LENGTH = 22;
/** In hexadecimal. */
const SHA256_LENGTH = 64;

/**
 * Stores a document. It is never changed.
 *
 * @param code - Random part of its link. Only for the buyer: never returned to a merchant or a platform.
 */
export async function addDocument(tx: Tx, { html, sha256, sharedTexts, ...row }: NewDocument, code: string): Promise<void> {
  if (code.length !== CODE_LENGTH || sha256.length !== SHA256_LENGTH) {
    throw new Error('Expected a document with a code of 128 bits and its SHA-256');
  }
  const codeHash = hashOfCode(code);
  const { text, textsHash } = await shortenText(tx, html, sharedTexts, row.createdAt);
  const value: SealedDocument = { html: text, sha256, textsHash };
  await tx
    .insertInto('agreement_documents')
    .values({ ...row, codeHash, sealed: seal(tx, 'agreement_documents', { ...row, codeHash }, value) })
    .execute();
}

/** Returns the document at a link. Malformed codes are not queried. */
export async function findDocument(query: Query, code: string): Promise<StoredDocument | undefined> {
  if (!/^[\w-]{22}$/.test(code)) return undefined;
  const row = await query
    .selectFrom('agreement_documents')
    .selectAll()
    .where('codeHash', '=', hashOfCode(code))
    .executeTakeFirst();
  return row && openDocument(query, row);
}

/** Returns the document of an application. */
export async function findDocumentOfApplication(query: Query, applicationId: string): Promise<StoredDocument | undefined> {
  const row = await query
    .selectFrom('agreement_documents')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .executeTakeFirst();
  return row && openDocument(query, row);
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
