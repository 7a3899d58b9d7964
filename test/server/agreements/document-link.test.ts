import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { signedAgreement } from '../../../server/agreements/agreement.ts';
import { copyOf, createCart, open, reachAgreement, sessionUrl, submit } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { changeSealed, storedApplication } from '../../support/stored.ts';

const service = await startService();
const merchant = await service.createMerchant({ origins: ['https://www.shop.example'] });

describe('The document of a signed agreement', () => {
  /** Completes a checkout and returns its cart, its transaction and the URL of the buyer's copy. */
  const completeCheckout = async (input: Record<string, string> = {}) => {
    const cart = await createCart(merchant, { orderRef: 'ORDER-7' });
    const agreement = await reachAgreement(cart.url, input);
    const signed = await submit(agreement);
    const transactionId = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    return { cart, transactionId, copyUrl: await copyOf(await open(sessionUrl(agreement)), service.database) };
  };
  const rowOf = (cartId: string) => storedApplication(service.database, cartId);
  const agreementOf = async (cartId: string) => signedAgreement(await rowOf(cartId))!;

  it('has a link, and its SHA-256 is the hash in the payment agreement', async () => {
    const { cart, copyUrl } = await completeCheckout();

    const copy = await open(copyUrl);

    expect(copy).toMatchObject({ status: 200, heading: 'Loan agreement' });
    const { documentHash, signedName, id } = await agreementOf(cart.id);
    expect(createHash('sha256').update(copy.text).digest('hex')).toBe(documentHash);
    for (const part of [signedName, id, 'Acme Goods', 'ORDER-7', 'Ada Lovelace, 12 Analytical Way, Springfield, IL 62701']) {
      expect(copy.text).toContain(part);
    }
    expect(await rowOf(cart.id)).toMatchObject({ status: 'CHECKOUT_COMPLETED' });
  });

  it('can be opened as a PDF while its link needs no proof', async () => {
    const { copyUrl } = await completeCheckout();
    const response = await fetch(`${copyUrl}/agreement.pdf`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    expect((await response.text()).slice(0, 5)).toBe('%PDF-');
    expect((await fetch(`${copyUrl.slice(0, -22)}${'A'.repeat(22)}/agreement.pdf`)).status).toBe(404);
  });

  it.each([
    ['en', 'This agreement has no PDF'],
    ['es', 'Este contrato no tiene PDF'],
  ])(
    'has no PDF if the fonts lack a letter of a name, and neither the e-mail nor the page offers one: %s',
    async (lang, heading) => {
      const { copyUrl } = await completeCheckout({ firstName: '伟', lastName: '王' });
      expect((await open(copyUrl)).text).toContain('伟 王');

      const page = await open(`${copyUrl}/agreement.pdf?lang=${lang}`);
      expect(page).toMatchObject({ status: 404, heading });
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-disposition')).toBeNull();
      expect((await open(page.buttonLinks[0]!)).text).toContain('伟 王');

      const messages = (await merchant.get('/sandbox/messages')).body.messages as { text: string }[];
      expect(messages[0]!.text).toContain(copyUrl);
      expect(messages[0]!.text).not.toMatch(/PDF|\.pdf/);
    },
  );

  it('sends no referrer, sets no cookie, and forbids storage, frames, scripts and all styles except its inline styles', async () => {
    const { headers, text } = await open((await completeCheckout()).copyUrl);
    const styles = /<style>([^]*)<\/style>/.exec(text)![1]!;
    const hash = createHash('sha256').update(styles).digest('base64');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-language': 'en',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(headers.get('content-security-policy')!.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('and its e-mail are in the language in which the agreement was signed', async () => {
    const cart = await createCart(merchant);
    const englishPage = await reachAgreement(cart.url);
    const agreement = await open(`${new URL(englishPage.url).origin}${new URL(englishPage.url).pathname}?lang=es`);
    await submit(agreement);
    const copy = await open(await copyOf(await open(sessionUrl(agreement)), service.database));
    expect(copy).toMatchObject({ heading: 'Contrato de préstamo' });
    expect(copy.headers.get('content-language')).toBe('es');
    const messages = (await merchant.get('/sandbox/messages')).body.messages as { subject: string }[];
    expect(messages[0]!.subject).toBe('Su contrato con Fairterm Lending');
  });

  describe('is not found', () => {
    it.each([
      ['with an unknown code', 'AAAAAAAAAAAAAAAAAAAAAA'],
      ['with half a code', 'AAAAAAAAAAA'],
      ['with a code that contains a zero byte', 'AAAAAAAAAAAAAAAAAAAAA%00'],
      ['with a code of one character', 'x'],
      ['with an incomplete percent-encoding', '%E0%A4'],
      ['with an additional path segment', 'AAAAAAAAAAAAAAAAAAAAAA/terms'],
      ['with a code of 4,000 characters', 'a'.repeat(4_000)],
    ])('%s', async (_title, code) => {
      const page = await open(`${service.publicUrl}/a/${code}`);
      expect(page).toMatchObject({ status: 404, step: 'unknown-link' });
      expect(page.headers.get('cache-control')).toBe('no-store');
    });

    it('with the code of its cart, and the cart is not found with the code of the document', async () => {
      const { cart, copyUrl } = await completeCheckout();
      const [checkoutCode, copyCode] = [cart.url, copyUrl].map((url) => new URL(url).pathname.split('/')[2]!);
      expect(await open(`${service.publicUrl}/a/${checkoutCode}`)).toMatchObject({ status: 404, step: 'unknown-link' });
      expect(await open(`${service.publicUrl}/c/${copyCode}`)).toMatchObject({ status: 404, step: 'unknown-link' });
    });
  });

  it('is not exposed to the merchant or in the log', async () => {
    const { cart, transactionId, copyUrl } = await completeCheckout();
    const code = new URL(copyUrl).pathname.split('/')[2]!;
    const { documentHash } = await agreementOf(cart.id);
    const responses = await Promise.all(
      [`/transactions/${transactionId}`, `/carts/${cart.id}`].map((path) => merchant.get(path)),
    );
    const authorized = await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
    for (const { status, text } of [...responses, authorized]) {
      expect(status).toBe(200);
      expect(text).not.toContain(code);
      expect(text).not.toContain(documentHash);
    }
    await open(copyUrl);
    expect(service.logged.join('\n')).not.toContain(code);
    expect(service.logged.join('\n')).toContain('"route":"/a/:code"');
  });

  it('is not shown if its content has changed since the signature', async () => {
    const { cart, copyUrl } = await completeCheckout();
    const { text } = await open(copyUrl);
    const runAsOwner = (statement: string) => service.database.write((tx) => sql.raw(statement).execute(tx));
    const { id } = await rowOf(cart.id);
    // Only the owner of the table can drop or disable the trigger.
    const [disableTrigger, enableTrigger] =
      service.database.engine === 'sqlite'
        ? ['drop trigger agreement_documents_only_rotated', undefined]
        : ['alter table agreement_documents disable trigger user', 'alter table agreement_documents enable trigger user'];
    const html = text.replace('Ada Lovelace', 'Eve Lovelace');
    const sha256 = createHash('sha256').update(html).digest('hex');
    const document = service.database.query.selectFrom('agreement_documents').select('id').where('applicationId', '=', id);
    await runAsOwner(disableTrigger);
    await changeSealed(service.database, 'agreement_documents', (await document.executeTakeFirstOrThrow()).id, { html, sha256 });
    if (enableTrigger) await runAsOwner(enableTrigger);

    const page = await open(copyUrl);

    expect(page).toMatchObject({ status: 500, step: 'document-changed' });
    expect(page.text).toContain('Our copy does not match the agreement you signed, so we do not show it. Ask Fairterm Lending');
    expect(page.text).not.toContain('Eve');
    expect(service.logged.join('\n')).toContain('ChangedDocument');
  });

  it('is stored in one transaction with the signature', async () => {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    const rename = (from: string, to: string) =>
      service.database.write((tx) => sql.raw(`alter table ${from} rename to ${to}`).execute(tx));
    await rename('agreement_documents', 'documents_renamed');
    try {
      expect(await submit(agreement)).toMatchObject({ status: 500 });
      expect(await rowOf(cart.id)).toMatchObject({ status: 'CHECKOUT_PREPARED', paymentAgreements: [] });
    } finally {
      await rename('documents_renamed', 'agreement_documents');
    }
    expect((await submit(agreement)).headers.get('location')).toContain('transactionId=');
  });
});
