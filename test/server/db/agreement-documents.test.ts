import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import { newDataKey, parseKeyRing, SealedDataError } from '../../../server/base/key-ring.ts';
import { associatedDataOf } from '../../../server/db/sealed.ts';
import { htmlHash } from '../../../server/messages/notices.ts';
import { addDocument, type StoredDocument, findDocument } from '../../../server/agreements/store.ts';
import { describeOnEveryEngine, createDatabase } from '../../support/databases.ts';
import { testKeys } from '../../support/data-keys.ts';
import { createBuyer } from '../../support/purchases.ts';
import type { Instant } from '../../../server/base/time.ts';

const at: Instant = '2026-11-21T09:30:00.000000Z';
const html = '<!doctype html><p>Signed by Žofie 東 🪑</p>';
const codeOf = (character: string) => character.repeat(22);

describeOnEveryEngine('Agreement documents', (engine) => {
  let database: Database;
  let row: StoredDocument;
  let otherApplication: string;
  let withNull: string;
  beforeAll(async () => {
    database = await createDatabase(engine);
    const { merchantId, createPurchase } = await createBuyer(database, at);
    const applicationId = await createPurchase();
    otherApplication = await createPurchase();
    withNull = await createPurchase();
    const document = { language: 'es' as const, html, sha256: htmlHash(html), createdAt: at };
    row = { id: 'd', applicationId, merchantId, ...document };
    await database.write((tx) => addDocument(tx, row, codeOf('a')));
  });
  const change = (statement: string) => database.write((tx) => sql.raw(statement).execute(tx));

  it('are returned exactly as they were written', async () => {
    expect(await findDocument(database.query, codeOf('a'))).toEqual(row);
  });

  it.each([
    "update agreement_documents set sealed = 'v2.test.c29tZXRoaW5nIGVsc2U'",
    "update agreement_documents set sealed = 'v2.next.c29tZXRoaW5nIGVsc2U', language = 'en'",
    "update agreement_documents set sealed = 'v1.next.c29tZXRoaW5nIGVsc2U'",
    "update agreement_documents set code_hash = code_hash where id = 'd'",
    'delete from agreement_documents',
    ...(engine === 'postgres' ? ['truncate agreement_documents', 'truncate applications cascade'] : []),
  ])('cannot be changed: %s', async (statement) => {
    await expect(change(statement)).rejects.toThrow('A signed document cannot be changed');
    expect(await findDocument(database.query, codeOf('a'))).toEqual(row);
  });

  it('can contain null characters', async () => {
    const document = { ...row, id: 'n', applicationId: withNull, html: '<!doctype html>\u00000\u0000' };
    await database.write((tx) => addDocument(tx, document, codeOf('n')));
    expect(await findDocument(database.query, codeOf('n'))).toEqual(document);
  });

  it('can be sealed again with another key, and only by a holder of the keys', async () => {
    const stored = await database.query.selectFrom('agreement_documents').selectAll().executeTakeFirstOrThrow();
    const place = associatedDataOf('agreement_documents', stored);
    const text = testKeys().open(stored.sealed, place);
    const [sameId, next] = ['test', 'next'].map((id) => parseKeyRing(newDataKey(id), 'DATA_KEYS'));
    const save = (sealed: string) => change(`update agreement_documents set sealed = '${sealed}' where id = 'd'`);

    await expect(save(sameId!.seal(text, place))).rejects.toThrow('A signed document cannot be changed');
    await save(next!.seal(text, place));
    await expect(findDocument(database.query, codeOf('a'))).rejects.toThrow(SealedDataError);
    await save(stored.sealed);
    expect(await findDocument(database.query, codeOf('a'))).toEqual(row);
  });

  it.each(['id', 'application_id', 'code_hash'])('cannot be replaced by another with the same %s', async (column) => {
    const all = sql<Record<string, string>>`select * from agreement_documents`;
    const { rows } = await all.execute(database.query.withoutPlugins());
    const [stored] = rows;
    const next = { ...stored, id: 'e', application_id: otherApplication, code_hash: 'e'.repeat(64), [column]: stored![column] };
    const values = Object.values(next).map((value) => `'${value}'`);
    const inserted = `into agreement_documents (${Object.keys(next).join()}) values (${values.join()})`;
    const statement =
      engine === 'sqlite'
        ? `insert or replace ${inserted}`
        : `insert ${inserted} on conflict (${column}) do update set language = 'en'`;
    await expect(change(statement)).rejects.toThrow('A signed document cannot be changed');
    expect(await findDocument(database.query, codeOf('a'))).toEqual(row);
  });

  it.each([
    ['a second one of the same application', {}],
    ['a code that is too short', { code: 'short', applicationId: 'other' }],
    ['an empty hash', { code: codeOf('c'), sha256: '', applicationId: 'other' }],
    ['an unknown application', { code: codeOf('d'), applicationId: 'unknown' }],
  ])('cannot have %s', async (_title, { code = codeOf('x'), ...invalid }: Partial<StoredDocument> & { code?: string }) => {
    const applicationId = invalid.applicationId === 'other' ? otherApplication : (invalid.applicationId ?? row.applicationId);
    const next = { ...row, id: 'x', ...invalid, applicationId };
    await expect(database.write((tx) => addDocument(tx, next, code))).rejects.toThrow(
      /code of 128 bits|unique|foreign|cannot be changed/i,
    );
  });
});
