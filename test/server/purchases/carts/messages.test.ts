import { describe, expect, it } from 'vitest';
import { asLowAs } from '../../../../shared/as-low-as.ts';
import { disclosure as english } from '../../../../shared/languages/en/disclosure.ts';
import { disclosure as spanish } from '../../../../shared/languages/es/disclosure.ts';
import { cartEmail, type CartMessage } from '../../../../server/purchases/carts/messages.ts';
import { emailSender, sheet, testOperator } from '../../../support/checkout.ts';

const url = 'https://pay.example/c/AAAAAAAAAAAAAAAAAAAAAA';
const optOutUrl = 'https://pay.example/u/TOKEN?lang=en';
const emailOf = (cart: CartMessage, name: string) => cartEmail(cart, name, optOutUrl);
const cartOf = (totalCents: number, overrides: Partial<CartMessage> = {}): CartMessage => ({
  language: 'en',
  merchantName: 'Acme Goods',
  postalAddress: '12 Elm Street, Springfield, IL 62701',
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
  it('contains the merchant, the link, its last day, the total, the monthly price in one paragraph with its disclosure, the postal address of the merchant, and how to opt out', () => {
    const { subject, text } = emailOf(cartOf(74_000), 'Ada Lovelace');

    expect(subject).toBe('Your checkout at Acme Goods');
    const { asLowAsText } = cartOf(74_000).asLowAs!;
    expect(text.split('\n\n')).toEqual([
      'Hello Ada Lovelace,',
      'Acme Goods has prepared a checkout for you.',
      `Continue to checkout\n${url}`,
      'The link is valid through November 28, 2026.',
      'Total: $740.00',
      `As low as $34.14 a month. ${asLowAsText}`,
      'This email was sent for Acme Goods, 12 Elm Street, Springfield, IL 62701.',
      'If you do not want more emails with checkout links from Acme Goods, you can stop them here:',
      optOutUrl,
      'Operator of this service (“we”): Fairterm Pay, 5 Example Way, Wilmington, DE 19801, 1-800-555-0199, help@fairterm.example\nLender: Fairterm Lending\n',
    ]);
    expect(asLowAsText).toContain('9.99% APR');
  });

  it('is written in the language of the buyer', () => {
    const asLowAsInSpanish = asLowAs(sheet, 74_000, '2026-11-21', spanish);
    const { subject, text, html } = emailOf(cartOf(74_000, { language: 'es', asLowAs: asLowAsInSpanish }), 'Ada Lovelace');

    expect(subject).toBe('Su compra en Acme Goods');
    expect(text.split('\n\n')).toEqual([
      'Hola, Ada Lovelace:',
      'Acme Goods ha preparado una compra para usted.',
      `Continuar con la compra\n${url}`,
      'El enlace es válido hasta el 28 de noviembre de 2026.',
      'Total: $740.00',
      `Desde $34.14 al mes. ${asLowAsInSpanish.asLowAsText}`,
      'Este correo se envió en nombre de Acme Goods, 12 Elm Street, Springfield, IL 62701.',
      'Si no desea recibir más correos con enlaces de compra de Acme Goods, puede cancelarlos aquí:',
      optOutUrl,
      'Operador de este servicio (“nosotros”): Fairterm Pay, 5 Example Way, Wilmington, DE 19801, 1-800-555-0199, help@fairterm.example\nPrestamista: Fairterm Lending\n',
    ]);
    expect(html).toContain('<html lang="es">');
  });

  it.each([
    ['below', 100],
    ['above', 9_999_999],
  ])('contains the financed range instead of a monthly price for a total %s it', (_position, totalCents) => {
    const { text } = emailOf(cartOf(totalCents), 'Ada');

    expect(text).not.toContain('As low as');
    expect(text).toContain('Financing is offered for purchases from $50.00 to $30,000.00');
  });

  it('does not mention financing before the total is known', () => {
    const { text, html } = emailOf(cartOf(0, { asLowAs: undefined }), 'Ada');

    expect(text).toMatch(/Total: \$0\.00\n\nThis email was sent for /);
    expect(html).not.toMatch(/low as|financ/i);
  });

  it('names a merchant without a postal address alone, and makes no link of what is typed as its address', () => {
    const sentence = (postalAddress: string) =>
      /This email was sent for .*/.exec(emailOf(cartOf(74_000, { postalAddress }), 'Ada').text)![0];

    expect(sentence('')).toBe('This email was sent for Acme Goods.');
    expect(sentence('P.O. Box 7, 12 K St. N.W., Washington, DC 20001')).toBe(
      'This email was sent for Acme Goods, PO Box 7, 12 K St. NW, Washington, DC 20001.',
    );
    expect(sentence('PO Box 7 60601-1234\nhttps://evil.example')).toBe(
      'This email was sent for Acme Goods, PO Box 7 60601-1234 https: evil example.',
    );
  });

  it('escapes the name of the merchant', () => {
    const { html } = emailOf(cartOf(74_000, { merchantName: 'A & B <script>alert(1)</script>' }), 'Ada');

    expect(html).not.toContain('<script');
    expect(html).toContain('A &amp; B &lt;script&gt;');
  });

  it.each([
    ['en', 'You won! Claim $500 at https://evil.example', 'Hello,'],
    ['en', '</p><img src=x onerror=alert(1)>\r\nBcc: eve@example.com', 'Hello,'],
    ['es', 'www.evil.example', 'Hola:'],
  ] as const)('omits from the greeting (%s) the unsafe name %j', (language, name, greeting) => {
    const email = emailOf(cartOf(74_000, { language }), name);

    expect(email.name).toBe('');
    expect(email.text.split('\n')[0]).toBe(greeting);
    expect(email.html).toContain(`<p>${greeting}</p>`);
    expect(email.text + email.html).not.toMatch(/evil|eve@|img/);
  });

  it('has a single-line subject, even if the name of the merchant contains line breaks', () => {
    const { subject } = emailOf(cartOf(74_000, { merchantName: 'Acme\r\nBcc: eve@example.com\u2028Goods' }), 'Ada');

    expect(subject).toBe('Your checkout at Acme Bcc: eve@example.com Goods');
  });
});
