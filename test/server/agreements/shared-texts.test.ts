import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedAgreement } from '../../../server/agreements/agreement.ts';
import { sha256Of } from '../../../server/agreements/document.ts';
import { replaceTexts, restoreTexts } from '../../../server/agreements/shared-texts.ts';
import { findDocumentOfApplication } from '../../../server/agreements/store.ts';
import { unseal } from '../../../server/db/sealed.ts';
import { createCart, open, reachAgreement, submit } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { storedApplication } from '../../support/stored.ts';

describe('Texts that documents share', () => {
  it('are restored exactly, whatever they and the document contain', () => {
    const unit = fc.constantFrom('a', 'b', '0', '1', '$', '&', '<', ' ', '’', '🪑');
    const shared = fc.array(fc.string({ unit, minLength: 2, maxLength: 4 }), { maxLength: 5 });
    fc.assert(fc.property(fc.string({ unit }), shared, (html, texts) => restoreTexts(replaceTexts(html, texts), texts) === html));
  });

  it('are stored once for all buyers, without anything about a buyer, and each document is as it was signed', async () => {
    const { database, createMerchant } = await startService();
    const merchant = await createMerchant();
    const { query } = database;
    const buyers = [
      {},
      { firstName: 'Grace', lastName: 'Hopper', signedName: 'Grace Hopper', email: 'grace@example.com', address: '1 Navy Yard' },
    ];
    for (const buyer of buyers) {
      const cart = await createCart(merchant, { orderRef: 'ORDER-7' });
      await submit(await reachAgreement(cart.url, buyer), buyer);

      const application = await storedApplication(database, cart.id);
      const document = await findDocumentOfApplication(query, application.id);
      expect(sha256Of(document!.html)).toBe(signedAgreement(application)!.documentHash);
      const row = query.selectFrom('agreement_documents').selectAll().where('applicationId', '=', application.id);
      const stored = unseal(query, 'agreement_documents', await row.executeTakeFirstOrThrow()) as { html: string };
      expect(stored.html.length).toBeLessThan(document!.html.length / 2);
    }

    const rows = await query.selectFrom('document_texts').select('textsJson').execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.textsJson).toContain('I may pay all or part of what I owe at any time without a penalty.');
    expect(rows[0]!.textsJson).not.toMatch(/Lovelace|Hopper|ada@|grace@|Analytical|Navy|555010|ORDER-7|Acme/i);
  });

  it('include both languages of a document in Spanish', async () => {
    const { database, createMerchant } = await startService();
    const cart = await createCart(await createMerchant());
    let page = await open(`${cart.url}?lang=es`);
    // Details, application, plan, signature.
    for (let forms = 0; forms < 4; forms++) page = await submit(page);

    const application = await storedApplication(database, cart.id);
    const document = await findDocumentOfApplication(database.query, application.id);
    expect(document).toMatchObject({ language: 'es', sha256: signedAgreement(application)!.documentHash });
    expect(sha256Of(document!.html)).toBe(document!.sha256);
    const { textsJson } = await database.query.selectFrom('document_texts').select('textsJson').executeTakeFirstOrThrow();
    expect(textsJson).toContain('I may pay all or part of what I owe');
    expect(textsJson).toContain('Ustedes pueden ceder este contrato.');
  });
});
