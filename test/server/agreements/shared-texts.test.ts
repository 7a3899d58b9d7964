import { describe, expect, it } from 'vitest';
import { signedAgreement } from '../../../server/agreements/agreement.ts';
import { sha256Of } from '../../../server/agreements/document.ts';
import { findDocumentOfApplication } from '../../../server/agreements/store.ts';
import { unseal } from '../../../server/db/sealed.ts';
import { createCart, open, reachAgreement, submit } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { storedApplication } from '../../support/stored.ts';

describe('Texts that documents share', () => {
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
    // Those of the agreement, and those of the e-mails.
    expect(rows).toHaveLength(2);
    const stored = rows.map(({ textsJson }) => textsJson).join();
    expect(stored).toContain('I may pay all or part of what I owe at any time without a penalty.');
    expect(stored).toContain('Nothing is final until you sign the agreement.');
    expect(stored).not.toMatch(/Lovelace|Hopper|ada@|grace@|Analytical|Navy|55501001|ORDER-7|Acme/i);
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
    const rows = await database.query.selectFrom('document_texts').select('textsJson').execute();
    const textsJson = rows.map((row) => row.textsJson).join();
    expect(textsJson).toContain('I may pay all or part of what I owe');
    expect(textsJson).toContain('Ustedes pueden ceder este contrato.');
  });
});
