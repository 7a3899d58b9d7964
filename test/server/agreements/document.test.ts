import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../support/page.ts';
import { documentOf, isAsSigned } from '../../../server/agreements/document.ts';
import { htmlHash } from '../../../server/messages/notices.ts';
import { texts } from '../../../server/base/texts.ts';
import { createDisclosure } from '../../shared/disclosure/create-disclosure.ts';
import { createAgreementFacts, storedAgreement } from './agreement-facts.ts';

const englishDocument = documentOf(createAgreementFacts(), texts.en);
describe('The document of an agreement', () => {
  it('contains the parties, the terms and every payment', () => {
    const text = wordsOf(englishDocument.html);
    const { disclosure } = createAgreementFacts().agreement;
    for (const part of [
      'Loan agreement',
      'Creditor First Fair Bank',
      'Borrower Ada Lovelace, 12 Analytical Way, Apt 3, Springfield, IL 62701',
      'Merchant Acme Goods',
      'Order ORDER-7',
      'Agreement number 0193-agreement',
      'Truth in Lending disclosure',
      'Itemization of the amount financed',
      'All 12 payments',
      'Signed electronically by Ada K. Lovelace on November 21, 2026 at 4:30 AM EST.',
      'I agree to receive this agreement and its disclosures electronically',
      'and I promise to repay First Fair Bank.',
    ]) {
      expect(text).toContain(part);
    }
    for (const { dueOn, paymentCents, balanceCents } of disclosure.payments) {
      expect(text).toContain(`${texts.en.date(dueOn)} ${texts.en.money(paymentCents, 'USD')}`);
      expect(text).toContain(texts.en.money(balanceCents, 'USD'));
    }
    expect(text).not.toMatch(/undefined|null|NaN|[{}]/);
  });

  it('contains the card and the amount it paid', () => {
    const text = wordsOf(
      documentOf(createAgreementFacts({ totalCents: 150_000, card: { amountCents: 25_200, label: 'Visa 4242' } }), texts.en).html,
    );
    expect(text).toContain(
      'Your order total is $1,500.00. Of this, $1,248.00 is financed under this agreement. The remaining $252.00 is paid by Visa 4242 and is not part of this agreement.',
    );
    expect(wordsOf(englishDocument.html)).not.toContain('Paid by card');
  });

  it('is rendered in the language of the signature', () => {
    const { html, language } = documentOf(createAgreementFacts(), texts.es);
    expect(language).toBe('es');
    expect(html).toContain('<html lang="es">');
    expect(wordsOf(html)).toContain('Firmado electrónicamente por Ada K. Lovelace el 21 de noviembre de 2026');
  });

  it('states that no loan was made only if it was signed in a sandbox', () => {
    expect(wordsOf(englishDocument.html)).not.toContain('No real loan');
    expect(wordsOf(documentOf(createAgreementFacts({ isSandbox: true }), texts.en).html)).toContain('No real loan is made');
  });

  it('loads no scripts, pictures or other files', () => {
    expect(englishDocument.html).not.toMatch(/<script|<img|@import|url\(|<form|<iframe|\son\w+=|\sstyle=/);
    const urls = [...englishDocument.html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, url]) => url);
    expect(urls).toEqual(['data:,']);
  });

  it('shows markup in the order reference and in names as text', () => {
    const markup = '</style></title><script>alert(1)</script><style></style>';
    const facts = createAgreementFacts(
      { orderRef: markup },
      createDisclosure({ lender: { name: 'A <b>bank</b>' } }, 124_800, { merchantName: markup }),
    );
    const { html } = documentOf({ ...facts, agreement: { ...facts.agreement, signedName: markup } }, texts.en);
    expect(html.match(/<script|<b>/g)).toBeNull();
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html).toContain('&lt;script&gt;');
  });

  it('is the same byte for byte when rendered again', () => {
    expect(documentOf(createAgreementFacts(), texts.en)).toEqual(englishDocument);
    expect(englishDocument.sha256).toBe(createHash('sha256').update(Buffer.from(englishDocument.html, 'utf8')).digest('hex'));
  });
});

describe('A stored document', () => {
  const { html, sha256 } = englishDocument;
  const { agreement } = createAgreementFacts();
  const signed = storedAgreement(agreement, sha256);

  it('matches the signature if both its hash and its text match the signed hash', () => {
    expect(isAsSigned({ html, sha256 }, signed)).toBe(true);
  });

  const forged = html.replace('Ada K. Lovelace', 'Eve');
  it.each([
    ['its text was changed', { html: forged, sha256 }, signed],
    ['its text and its hash were changed', { html: forged, sha256: htmlHash(forged) }, signed],
    ['a space was appended', { html: `${html} `, sha256 }, signed],
    ['another document was signed', { html, sha256 }, { ...signed, documentHash: htmlHash('another') }],
    ['nothing was signed', { html, sha256 }, undefined],
  ])('does not match the signature if %s', (_title, stored, signedAgreement) => {
    expect(isAsSigned(stored, signedAgreement)).toBe(false);
  });
});
