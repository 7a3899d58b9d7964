import { expect, it } from 'vitest';
import { addDocument, findDocument, type StoredDocument } from '../../../../server/agreements/store.ts';
import { seal } from '../../../../server/db/sealed.ts';
import { hashOfCode } from '../../../../server/ids.ts';
import { createDatabaseAt, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer } from '../../../support/purchases.ts';

const at = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('Migration 0008', (engine) => {
  it('keeps signed documents from before it, and lets new ones share texts', async () => {
    const database = await createDatabaseAt('0007-requested-amounts', engine);
    const { merchantId, createApplication } = await createBuyer(database, at);
    const document: StoredDocument = {
      id: 'before',
      applicationId: await createApplication(),
      merchantId,
      language: 'en',
      createdAt: at,
      html: '<p>The text of an agreement</p>',
      sha256: 'a'.repeat(64),
    };
    const { html, sha256, ...rest } = document;
    const row = { ...rest, codeHash: hashOfCode('a'.repeat(22)) };
    await database.write((tx) =>
      tx
        .insertInto('agreement_documents')
        .values({ ...row, sealed: seal(tx, 'agreement_documents', row, { html, sha256 }) })
        .execute(),
    );

    await database.migrate();

    expect(await findDocument(database.query, 'a'.repeat(22))).toEqual(document);
    for (const code of ['b', 'c'].map((character) => character.repeat(22))) {
      const next = { ...document, id: code, applicationId: await createApplication() };
      await database.write((tx) => addDocument(tx, { ...next, sharedTexts: ['The text of an agreement'] }, code));
      expect(await findDocument(database.query, code)).toEqual(next);
    }
    const texts = await database.query.selectFrom('document_texts').select('textsJson').execute();
    expect(texts).toEqual([{ textsJson: '["The text of an agreement"]' }]);
  });
});
