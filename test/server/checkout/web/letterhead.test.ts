import { changeMerchant } from '../../../../server/merchants/merchants.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { systemClock } from '../../../../server/base/time.ts';
import { describe, expect, it } from 'vitest';
import { startCheckoutShop } from '../../../support/checkout-pages.ts';
import { open, reachAgreement, submit } from '../../../support/checkout.ts';
import { PICTURES } from '../../../support/pictures.ts';
import { createProgram, elaborateProgram } from '../../../support/programs.ts';

const { lender } = elaborateProgram;

const shop = await startCheckoutShop();

describe('The frame of a checkout page', () => {
  const link = () => shop.link({ financingProgramId: elaborateProgram.id });

  it('names the lender with its logo, next to the merchant', async () => {
    const { text } = await open(await link());
    expect(text).toContain(`Financing by ${lender.name}`);
    expect(text).toContain(`src="${lender.logo}"`);
    expect(text).toContain('Acme Goods');
  });

  it('has the logo, the accent color and the contacts of the merchant, and loads nothing else from this service', async () => {
    const { app, database } = shop;
    const logo = PICTURES.png;
    const support = ['help@acme.example', '1-800-555-0111', 'https://acme.example/help'];
    const change = { logo, accent: '#B3431E', support };
    const changed = await changeMerchant(database, 'sandbox', app.merchantId, change, systemClock.now());

    const { text, headers } = await open(await link());

    expect(text).toContain(`<img src="/brand/logo/${changed.logo}" alt="Acme Goods"`);
    expect(text).toContain('<link rel="stylesheet" href="/brand/accent/b3431e.css"');
    for (const url of ['mailto:help@acme.example', 'tel:18005550111', support[2]]) expect(text).toContain(`href="${url}"`);
    expect(headers.get('content-security-policy')).toMatch(/style-src 'self'; img-src data: 'self' /);
    const accent = await fetch(`${app.publicUrl}/brand/accent/b3431e.css`);
    expect([accent.headers.get('content-type'), accent.headers.get('cache-control')]).toEqual([
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(await accent.text()).toContain('--accent: light-dark(#b3431e, ');
    expect((await fetch(`${app.publicUrl}/brand/accent/red.css`)).status).toBe(404);

    const removeBrand = ['logo', 'accent', 'support'] as const;
    await changeMerchant(database, 'sandbox', app.merchantId, { removeBrand }, systemClock.now());
    const without = await open(await link());
    expect(without.text).not.toContain('/brand/');
    expect(without.headers.get('content-security-policy')).not.toContain("img-src data: 'self'");
  });

  it('folds who is who below the phone number of the lender', async () => {
    const { text } = await open(await link());
    expect(text).toMatch(
      /<footer>\s*<p>[^]*Questions about your financing\?[^]*<\/p>\s*<details>\s*<summary>Who is who<\/summary>/,
    );
  });

  it('links the privacy notice of the lender', async () => {
    const privacyNotice = { url: 'https://bank.example/privacy', sha256: '0'.repeat(64) };
    const program = createProgram({ id: 'private', lender: { name: 'Private Lending', privacyNotice } });
    await importProgram(shop.database, program, [shop.app.merchantId], { asDefault: false }, systemClock.now());
    const { text } = await open(await shop.link({ financingProgramId: program.id }));
    expect(text).toMatch(/href="https:\/\/bank\.example\/privacy"[^>]*>Privacy notice of Private Lending</);
  });

  it('states the license of the lender in the buyer’s state once that is known', async () => {
    const first = await open(await link());
    const licensed = `${lender.name}, Illinois Consumer Installment Loan license 60DBO`;
    expect(first.text).not.toContain(licensed);
    expect((await submit(first, { shippingTypeId: 'ground', state: 'IL' })).text).toContain(licensed);
  });

  it('omits the logo, the phone number and the license that a program does not have', async () => {
    const plain = createProgram({ id: 'plain', lender: { name: 'Plain Lending' } });
    await importProgram(shop.database, plain, [shop.app.merchantId], { asDefault: false }, systemClock.now());
    const { text } = await submit(await open(await shop.link({ financingProgramId: plain.id })), { shippingTypeId: 'ground' });
    expect(text).toContain('Financing by Plain Lending');
    expect(text).not.toContain('Questions about your financing?');
    expect(text).not.toContain('license');
  });
});

describe('The agreement page', () => {
  it('repeats the payments with a link to the signature, and can be printed before it is signed', async () => {
    const { text } = await reachAgreement(await shop.link(), { shippingTypeId: 'ground' });
    expect(text).toMatch(/class="agreement-bar"[^>]*>\s*<span><strong>\d+ payments<\/strong>, the first of \$\d+\.\d\d due/);
    expect(text).toContain('href="#signedName"');
    expect(text).toMatch(/<p class="scripted"><button type="button" class="quiet" data-prints[^>]*>Save as PDF or print</);
  });
});
