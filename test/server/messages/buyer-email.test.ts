import { describe, expect, it } from 'vitest';
import { contrast } from '../../../shared/accent.ts';
import { buyerEmail } from '../../../server/messages/buyer-email.ts';
import { emailSender, testOperator } from '../../support/checkout.ts';

const { merchant, publicUrl } = emailSender;
const brand = {
  logo: '9f86d081884c7d659a2feaa0c55ad015.png',
  accent: '#ffd400',
  supportEmail: 'help@acme.example',
  supportPhone: '1-800-555-0111',
  supportUrl: 'https://acme.example/help',
};
const emailOf = (ofMerchant: typeof merchant | (typeof brand & { name: string })) =>
  buyerEmail({
    language: 'en',
    name: 'Ada Lovelace',
    subject: 'Your checkout',
    blocks: [
      { paragraphs: ['Continue here.'], button: { label: 'Continue', url: 'https://pay.example/c/code' } },
      { rows: [['Amount financed', '$740.00']] },
    ],
    contacts: { operator: testOperator, merchant: ofMerchant, publicUrl },
  });

describe('An e-mail to a buyer', () => {
  it('has the logo of the merchant, its contacts, and a button in its accent color with enough contrast', () => {
    const { html, text } = emailOf({ name: 'Acme Goods', ...brand });

    expect(html).toMatch(
      /<img src="https:\/\/pay\.example\/brand\/logo\/9f86d081884c7d659a2feaa0c55ad015\.png" alt="Acme Goods"/,
    );
    const [, background = '', ink = ''] = /class="button"[^>]*background: (#\w{6}); color: (#\w{6})/.exec(html)!;
    expect(contrast(background, ink)).toBeGreaterThanOrEqual(4.5);
    const contacts = 'Acme Goods, help@acme.example, 1-800-555-0111, https://acme.example/help';
    expect(text).toContain(`Store, for questions about your order: ${contacts}\n`);
  });

  it('has the name of the merchant in its place without a logo, and loads nothing', () => {
    const { html, text } = emailOf(merchant);

    expect(html).toMatch(/<p style="[^"]*">Acme Goods<\/p>/);
    expect(html).not.toMatch(/<(img|link|script)\b|@import|url\(/);
    expect(text).not.toContain('Store, for questions');
  });

  it('has the address of its button below it and in the plain text, and its figures as a table', () => {
    const { html, text } = emailOf(merchant);

    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(html).toMatch(/<a class="button" href="https:\/\/pay\.example\/c\/code"[^>]*>Continue<\/a>/);
    expect(text).toContain('Continue here.\n\nContinue\nhttps://pay.example/c/code\n\nAmount financed: $740.00');
    expect(html).toMatch(/<th scope="row"[^>]*>Amount financed<\/th>\s*<td[^>]*>\$740\.00<\/td>/);
  });
});
