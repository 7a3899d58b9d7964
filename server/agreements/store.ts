import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Query, Tx } from '../db/database.ts';
import { type Connection, connectionOf } from '../db/engine.ts';
import type { AgreementDocumentTable } from '../db/schema.ts';
import { fromJson, toJson } from '../db/json.ts';
import { SealedDataError } from '../db/key-ring.ts';
import { seal, unseal } from '../db/sealed.ts';
import { hashOfCode } from '../ids.ts';
import type { Instant } from '../time.ts';
import { replaceTexts, restoreTexts } from './shared-texts.ts';

/** The values of a document that identify the buyer. They are stored sealed. */
interface SealedDocument {
  /** With references to texts, see `replaceTexts`, if it has a `textsHash`. */
  html: string;
  /** SHA-256 of the complete document in UTF-8, hexadecimal; also in the payment agreement. */
  sha256: string;
  /** Identifies the texts that the document shares with others; absent on documents of earlier releases. */
  textsHash?: string;
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
  return { ...row, html: textsHash === undefined ? html : restoreTexts(html, await getTexts(query, textsHash)), sha256 };
}

/** Cached texts of each database by their hash. They never change. */
const textsOf = new WeakMap<Connection, LRUCache<string, readonly string[]>>();

function cachedTexts(query: Query): LRUCache<string, readonly string[]> {
  const connection = connectionOf(query);
  const cached = textsOf.get(connection) ?? new LRUCache({ max: 100 });
  textsOf.set(connection, cached);
  return cached;
}

async function getTexts(query: Query, hash: string): Promise<readonly string[]> {
  const cached = cachedTexts(query).get(hash);
  if (cached) return cached;
  const { textsJson } = await query
    .selectFrom('document_texts')
    .select('textsJson')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  // The sealed value of the document authenticates the hash.
  if (sha256Hex(textsJson) !== hash) throw new SealedDataError(['document_texts', hash], 'the texts were changed');
  const read = fromJson(textsJson);
  cachedTexts(query).set(hash, read);
  return read;
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Stores texts unless they are stored. Returns their hash. */
async function addTexts(tx: Tx, texts: readonly string[], createdAt: Instant): Promise<string> {
  const textsJson = toJson(texts);
  const hash = sha256Hex(textsJson);
  // Cached texts were read after they were committed.
  if (cachedTexts(tx).has(hash)) return hash;
  await tx
    .insertInto('document_texts')
    .values({ hash, textsJson, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return hash;
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
  // References to shared texts are between null characters, so a document that contains one is stored whole.
  const value: SealedDocument = html.includes('\0')
    ? { html, sha256 }
    : { html: replaceTexts(html, sharedTexts), sha256, textsHash: await addTexts(tx, sharedTexts, row.createdAt) };
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
