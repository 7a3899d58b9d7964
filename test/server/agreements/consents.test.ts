import { signedAgreement } from '../../../server/agreements/agreement.ts';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../support/page.ts';
import { agreementConsents, applicationConsents } from '../../../server/agreements/consents.ts';
import { texts } from '../../../server/base/texts.ts';
import type { CreditRequest, SignedLoan } from '../../../server/lending/lenders/lender.ts';
import { sandboxLender } from '../../../server/lending/lenders/sandbox-lender.ts';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { systemClock } from '../../../server/base/time.ts';
import { startApp } from '../../support/app.ts';
import { open, reachAgreement, submit } from '../../support/checkout.ts';
import { createDatabase } from '../../support/databases.ts';
import { createProgram } from '../../support/programs.ts';
import { storedApplication } from '../../support/stored.ts';

const merchant = { name: 'Acme Goods' };
const lender = { name: 'Example Bank', phone: '1-800-555-0100', address: '1 Example Plaza, Wilmington, DE 19801' };
const privacyNotice = { url: 'https://bank.example/privacy', sha256: 'a'.repeat(64) };
const program = createProgram({ lender: { ...lender, privacyNotice } });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('The consents', () => {
  const creditReport = (inquiry: object | undefined) =>
    applicationConsents({ program: createProgram({ lender, inquiry }), merchant }, texts.en).creditReport.sentence;

  it.each([
    ['soft', 'This is a soft inquiry: it does not affect my credit score.'],
    ['hard', 'This is a hard inquiry: it may affect my credit score.'],
  ])('state a %s inquiry about the application', (application, sentence) => {
    expect(creditReport({ application })).toContain(sentence);
  });

  it.each([
    ['soft', 'This would be a soft inquiry, which does not affect my credit score', 'This is a soft inquiry'],
    ['hard', 'This would be a hard inquiry, which may affect my credit score', 'This is a hard inquiry'],
  ] as const)('state a %s inquiry at the signature, on both pages', (acceptance, sentence, atSignature) => {
    const inquiry = { application: 'soft', acceptance };

    expect(creditReport(inquiry)).toContain(sentence);
    const { agreement } = agreementConsents(createProgram({ lender, inquiry }), texts.en);
    expect(agreement.information).toEqual([expect.stringContaining(atSignature)]);
  });

  it('state no inquiry at the signature by default', () => {
    expect(creditReport({ application: 'soft' })).not.toContain('If I sign');
    expect(agreementConsents(program, texts.en).agreement.information).toEqual([]);
  });

  it('state no effect on the credit score if the program states no inquiries', () => {
    expect(creditReport(undefined)).toBe('I authorize Example Bank to obtain my credit report to decide on this application.');
    expect(agreementConsents(createProgram({ lender, inquiry: undefined }), texts.en).agreement.information).toEqual([]);
  });

  it.each([
    ['phone and address', lender, 'call Example Bank at 1-800-555-0100, or write to Example Bank, 1 Example Plaza'],
    ['a phone', { name: 'Example Bank', phone: '1-800-555-0100' }, 'call Example Bank at 1-800-555-0100.'],
    ['an address', { name: 'Example Bank', address: '1 Example Plaza' }, 'write to Example Bank, 1 Example Plaza.'],
    ['neither', { name: 'Example Bank' }, 'by notifying Example Bank.'],
  ])('state how to withdraw the consent to electronic documents from a lender with %s', (_, known, sentence) => {
    const { electronic } = applicationConsents({ program: createProgram({ lender: known }), merchant }, texts.en);

    expect(electronic.information.join(' ')).toContain(sentence);
  });

  it('have the SHA-256 of their sentence and information as their version', () => {
    const { electronic } = applicationConsents({ program, merchant }, texts.es);

    expect(electronic).toMatchObject({
      language: 'es',
      sha256: sha256([electronic.sentence, ...electronic.information].join('\n')),
    });
  });
});

describe('A checkout with consents', () => {
  const start = async () => {
    const database = await createDatabase('sqlite');
    const received: { requests: CreditRequest[]; loans: SignedLoan[] } = { requests: [], loans: [] };
    const deciding = sandboxLender();
    const app = await startApp(database, {
      lender: {
        ...deciding,
        decide: async (request) => (received.requests.push(request), deciding.decide(request)),
        accept: async (loan, policy) => (received.loans.push(loan), deciding.accept(loan, policy)),
      },
    });
    const importVersion = (version: number, change: object = {}) =>
      importProgram(
        database,
        createProgram({ id: 'consented', version, lender: { ...lender, privacyNotice }, ...change }),
        [app.merchantId],
        { asDefault: true },
        systemClock.now(),
      );
    await importVersion(1);
    const cart = await app.createCart();
    return { database, received, cart, importVersion };
  };

  it('stores the sentences of the application page and sends them with the decision request', async () => {
    const { database, received, cart } = await start();
    const apply = await submit(await open(cart.url));

    await submit(apply);

    const [request] = received.requests;
    const { consents: stored } = await storedApplication(database, cart.id);
    expect(stored).toEqual(request!.consents);
    expect(request!.consents.map(({ name }) => name)).toEqual(['credit-report', 'electronic-documents', 'privacy-notice']);
    for (const { sentence, information, language, at, sha256: version } of request!.consents) {
      expect(wordsOf(apply.text)).toContain(sentence);
      expect({ language, version }).toEqual({ language: 'en', version: sha256([sentence, ...information].join('\n')) });
      expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    }
    for (const sentence of request!.consents[1]!.information) expect(wordsOf(apply.text)).toContain(sentence);
    expect(request!.consents[2]!.information).toEqual([privacyNotice.url, `SHA-256 ${privacyNotice.sha256}`]);
  });

  it('shows the consents unfolded, with a link to the privacy notice', async () => {
    const { cart } = await start();

    const { text } = await submit(await open(cart.url));

    const [consents] = /<fieldset class="consents">[^]*<\/fieldset>/.exec(text)!;
    expect(consents).not.toContain('<details');
    expect(text).toContain(`<a href="${privacyNotice.url}"`);
  });

  it('sends the consents of the agreement and the signed document to the lender', async () => {
    const { database, received, cart } = await start();
    const agreement = await reachAgreement(cart.url);

    await submit(agreement);

    const [{ consents, document, signedAt }] = received.loans as [SignedLoan];
    expect(consents.map(({ name, at }) => [name, at])).toEqual([
      ['electronic-agreement', signedAt],
      ['agreement', signedAt],
    ]);
    for (const { sentence } of consents) {
      expect(wordsOf(agreement.text)).toContain(sentence);
      expect(wordsOf(document.html)).toContain(sentence);
    }
    expect(document.sha256).toBe(sha256(document.html));
    const stored = signedAgreement(await storedApplication(database, cart.id));
    expect(stored).toMatchObject({ consents, documentHash: document.sha256 });
  });

  it('shows the application again if a consent has changed since it was shown, and sends nothing', async () => {
    const { database, received, cart, importVersion } = await start();
    const apply = await submit(await open(cart.url));
    await importVersion(2, { inquiry: { application: 'hard' } });

    const again = await submit(apply);

    expect(again).toMatchObject({ status: 422, step: 'apply' });
    expect(again.text).toContain('The consents on this page have changed since you opened it.');
    expect(again.text).toContain('This is a hard inquiry');
    expect(received.requests).toEqual([]);
    expect(await storedApplication(database, cart.id)).toMatchObject({ status: 'STARTED', consents: [] });
    expect(await submit(again)).toMatchObject({ step: 'plans' });
  });

  it('does not accept an application without the hash of the consents that were shown', async () => {
    const { received, cart } = await start();
    const apply = await submit(await open(cart.url));

    expect(apply.fields['shownConsents']).toMatch(/^[0-9a-f]{64}$/);
    expect(await submit(apply, { shownConsents: '' })).toMatchObject({ status: 422 });
    expect(received.requests).toEqual([]);
  });
});
