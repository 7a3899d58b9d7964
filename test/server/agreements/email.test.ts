import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../support/page.ts';
import { agreementEmail } from '../../../server/agreements/email.ts';
import { emailSender } from '../../support/checkout.ts';
import { texts } from '../../../server/base/texts.ts';
import { createDisclosure } from '../../shared/disclosure/create-disclosure.ts';
import { createAgreementFacts } from './agreement-facts.ts';

const url = 'https://pay.example/a/abcdefghijklmnopqrstuv';
const { agreement, contacts } = createAgreementFacts(
  {},
  createDisclosure({ lender: { name: 'First Fair Bank' } }, 100_000, { merchantName: 'Acme Goods' }),
);
const emailOf = (language: 'en' | 'es', card?: { amountCents: number; label: string }, name = 'Ada Lovelace') =>
  agreementEmail(
    agreement,
    { name, url, hasPdf: true, linkDays: 90, card, contacts: { ...contacts, ...emailSender } },
    texts[language],
  );

describe('The e-mail with a buyer’s agreement', () => {
  it('contains the link and the main figures', () => {
    const { disclosure } = agreement;
    const money = (cents: number) => texts.en.money(cents, 'USD');
    const [first, last] = disclosure.paymentRows as [(typeof disclosure.paymentRows)[0], (typeof disclosure.paymentRows)[0]];

    expect(emailOf('en').subject).toBe('Your agreement with First Fair Bank');
    expect(emailOf('en').text).toBe(`Hello Ada Lovelace,

On November 21, 2026 you signed an agreement with First Fair Bank for your order at Acme Goods. Your copy is ready to read, print or save.

Open your agreement
${url}

Amount financed: $1,000.00
Annual percentage rate: 17.99%
Payments: 11 payments of ${money(first.paymentCents)} and 1 payment of ${money(last.paymentCents)}
Total of payments: ${money(disclosure.totalOfPaymentsCents)}
First payment due: December 21, 2026
Last payment due: November 21, 2027

As a PDF:

${url}/agreement.pdf

How to pay
Make your payments to First Fair Bank at https://pay.fairterm.example, by mail to P.O. Box 200, Wilmington, DE 19899, or by phone at 1-800-555-0102.

Anyone with the link can read the agreement, so do not forward this message.

After 90 days, the link also asks for the ZIP code of your billing address.

To receive further documents about this loan on paper instead of by email:

https://pay.example/a/abcdefghijklmnopqrstuv/consent

Operator of this service (“we”): Fairterm Pay, 5 Example Way, Wilmington, DE 19801, 1-800-555-0199, help@fairterm.example
Lender: First Fair Bank
`);
  });

  it('is in the language of the buyer', () => {
    const { subject, text, html } = emailOf('es');
    expect(subject).toBe('Su contrato con First Fair Bank');
    expect(html).toContain('<html lang="es">');
    for (const part of [
      'Hola, Ada Lovelace:',
      'El 21 de noviembre de 2026',
      '11 pagos de',
      '1 pago de',
      'Vencimiento del último pago: 21 de noviembre de 2027',
      '17.99%',
      url,
    ]) {
      expect(text).toContain(part);
    }
  });

  it('contains the amount paid by card, if there is one', () => {
    expect(emailOf('en', { amountCents: 25_200, label: 'Visa 4242' }).text).toContain('Paid by card: $252.00, Visa 4242');
    expect(emailOf('en').text).not.toContain('card');
  });

  it.each(['en', 'es'] as const)('has the same content as plain text and as HTML: %s', (language) => {
    const { text, html } = emailOf(language, { amountCents: 25_200, label: 'Visa 4242' });
    const words = wordsOf(html);
    for (const word of text.split(/:?\s+/)) expect(words).toContain(word);
    expect(html).toContain(`href="${url}"`);
    expect(html).not.toMatch(/<(script|img|link)\b/);
    expect(words).not.toMatch(/undefined|[{}]/);
  });

  it.each([
    ['en', 'Hello,'],
    ['es', 'Hola:'],
  ] as const)('omits a name that contains a URL from the greeting: %s', (language, greeting) => {
    const { name, text, html } = emailOf(language, undefined, 'Ada, see https://evil.example <script>');
    expect(name).toBe('');
    expect(text.split('\n')[0]).toBe(greeting);
    expect(text + html).not.toMatch(/evil|script/);
  });
});
