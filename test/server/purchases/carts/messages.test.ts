import { describe, expect, it } from 'vitest';
import { asLowAs } from '../../../../shared/as-low-as.ts';
import { disclosure as english } from '../../../../shared/languages/en/disclosure.ts';
import { disclosure as spanish } from '../../../../shared/languages/es/disclosure.ts';
import { cartEmail, type CartMessage } from '../../../../server/purchases/carts/messages.ts';
import { emailSender, sheet, testOperator } from '../../../support/checkout.ts';

const url = 'https://pay.example/c/AAAAAAAAAAAAAAAAAAAAAA';
const cartOf = (totalCents: number, overrides: Partial<CartMessage> = {}): CartMessage => ({
  language: 'en',
  merchantName: 'Acme Goods',
  url,
  lastDay: '2026-11-28',
  totalCents,
  isBeforeShipping: false,
  currency: 'USD',
  asLowAs: asLowAs(sheet, totalCents, '2026-11-21', english),
  contacts: { operator: testOperator, lender: { name: 'Fairterm Lending', licenses: {} }, ...emailSender },
  ...overrides,
});

describe('The e-mail with the link of a cart', () => {
  it('contains the merchant, the link, its last day, the total, and the monthly price in one paragraph with its disclosure', () => {
    const { subject, text } = cartEmail(cartOf(74_000), 'Ada Lovelace');

    expect(subject).toBe('Your checkout at Acme Goods');
    const { asLowAsText } = cartOf(74_000).asLowAs!;
    expect(text.split('\n\n')).toEqual([
      'Hello Ada Lovelace,',
      'Acme Goods has prepared a checkout for you.',
      `Continue to checkout\n${url}`,
      'The link is valid through November 28, 2026.',
      'Total: $740.00',
      `As low as $34.14 a month. ${asLowAsText}`,
      'Operator of this service (“we”): Fairterm Pay, 5 Example Way, Wilmington, DE 19801, 1-800-555-0199, help@fairterm.example\nLender: Fairterm Lending\n',
    ]);
    expect(asLowAsText).toContain('9.99% APR');
  });

  it('is written in the language of the buyer', () => {
    const asLowAsInSpanish = asLowAs(sheet, 74_000, '2026-11-21', spanish);
    const { subject, text, html } = cartEmail(cartOf(74_000, { language: 'es', asLowAs: asLowAsInSpanish }), 'Ada Lovelace');

    expect(subject).toBe('Su compra en Acme Goods');
    expect(text.split('\n\n')).toEqual([
      'Hola, Ada Lovelace:',
      'Acme Goods ha preparado una compra para usted.',
      `Continuar con la compra\n${url}`,
      'El enlace es válido hasta el 28 de noviembre de 2026.',
      'Total: $740.00',
      `Desde $34.14 al mes. ${asLowAsInSpanish.asLowAsText}`,
      'Operador de este servicio (“nosotros”): Fairterm Pay, 5 Example Way, Wilmington, DE 19801, 1-800-555-0199, help@fairterm.example\nPrestamista: Fairterm Lending\n',
    ]);
    expect(html).toContain('<html lang="es">');
  });

  it.each([
    ['below', 100],
    ['above', 9_999_999],
  ])('contains the financed range instead of a monthly price for a total %s it', (_position, totalCents) => {
    const { text } = cartEmail(cartOf(totalCents), 'Ada');

    expect(text).not.toContain('As low as');
    expect(text).toContain('Financing is offered for purchases from $50.00 to $30,000.00');
  });

  it('does not mention financing before the total is known', () => {
    const { text, html } = cartEmail(cartOf(0, { asLowAs: undefined }), 'Ada');

    expect(text).toMatch(/Total: \$0\.00\n\nOperator/);
    expect(html).not.toMatch(/low as|financ/i);
  });

  it('escapes the name of the merchant', () => {
    const { html } = cartEmail(cartOf(74_000, { merchantName: 'A & B <script>alert(1)</script>' }), 'Ada');

    expect(html).not.toContain('<script');
    expect(html).toContain('A &amp; B &lt;script&gt;');
  });

  it.each([
    ['en', 'You won! Claim $500 at https://evil.example', 'Hello,'],
    ['en', '</p><img src=x onerror=alert(1)>\r\nBcc: eve@example.com', 'Hello,'],
    ['es', 'www.evil.example', 'Hola:'],
  ] as const)('omits from the greeting (%s) the unsafe name %j', (language, name, greeting) => {
    const email = cartEmail(cartOf(74_000, { language }), name);

    expect(email.name).toBe('');
    expect(email.text.split('\n')[0]).toBe(greeting);
    expect(email.html).toContain(`<p>${greeting}</p>`);
    expect(email.text + email.html).not.toMatch(/evil|eve@|img/);
  });

  it('has a single-line subject, even if the name of the merchant contains line breaks', () => {
    const { subject } = cartEmail(cartOf(74_000, { merchantName: 'Acme\r\nBcc: eve@example.com\u2028Goods' }), 'Ada');

    expect(subject).toBe('Your checkout at Acme Bcc: eve@example.com Goods');
  });
});
