/** The buyer sees the reasons of a denial on the page and by e-mail. The merchant never does. */
import { describe, expect, it } from 'vitest';
import { createEmailSender } from '../../server/messages/email.ts';
import { texts } from '../../server/base/texts.ts';
import { createCart, open, type Page, reachStep, submit, typedDigits } from '../support/checkout.ts';
import { fetchResponse, startService } from '../support/service.ts';
import { startReceiver } from '../support/http.ts';
import { until } from '../support/time.ts';
import { startMailServer } from '../server/messages/mail-server.ts';
import { fairterm } from '../server/operations/commands/fairterm.ts';

const reasons = [
  ['2001', 'delinquency'],
  ['2002', 'income'],
  ['2003', 'debt'],
  ['2004', 'identity'],
  ['2005', 'no-file'],
] as const;

/** Matches every sentence that states a reason, and the identifiers and codes of reasons. */
const REVEALING = new RegExp(
  [
    ...(['en', 'es'] as const).flatMap((language) => Object.values(texts[language].adverseAction.reasons)),
    ...reasons.map(([, name]) => `"${name}"`),
    typedDigits('300[12]\\d\\d').source,
    'denial_?reasons',
  ].join('|'),
  'i',
);
const errorUrl = 'https://shop.example/pay-another-way?order=7';

/** Completes the checkout up to the denial, as the test buyer with these digits. */
const reachDenial = (url: string, taxIdLast4: string): Promise<Page> => reachStep(url, 'declined', { taxIdLast4 });

const service = await startService();
const merchant = await service.createMerchant();

describe('A denial', () => {
  it.each(reasons)(
    'of test buyer %s shows the reason to the buyer only, not to the merchant or in the log: %s',
    async (digits, reason) => {
      const { url: callbackUrl, received } = await startReceiver();
      const cart = await createCart(merchant, { errorUrl, callbackUrl, orderRef: 'ORDER-7' });
      const page = await reachDenial(cart.url, digits);
      expect(page.buttonLinks).toEqual([errorUrl]);
      expect(page.text).toContain(texts.en.adverseAction.reasons[reason]);

      const responses = await Promise.all([
        merchant.get(`/carts/${cart.id}`),
        merchant.get('/sandbox/messages'),
        merchant.post('/sandbox/checkouts', { cartId: cart.id }),
        merchant.post(`/carts/${cart.id}/expire`),
        merchant.post('/aslowas', { customTotal: 75_000 }),
        merchant.get(`/transactions/${cart.id}`),
        // The merchant also has the cart's link.
        fetchResponse(cart.url),
        ...['details', 'apply', 'plans', 'agreement', 'notice', 'notice/AAAAAAAAAAAAAAAAAAAAAA', 'cancel'].map((step) =>
          fetchResponse(`${cart.url}/${step}`),
        ),
      ]);
      for (const { text, headers } of responses) {
        expect(text).not.toMatch(REVEALING);
        expect(JSON.stringify([...headers])).not.toMatch(REVEALING);
      }
      expect(received).toEqual([]);
      expect(service.logged.join('\n')).not.toMatch(REVEALING);
      expect(service.logged.join('\n')).not.toContain(new URL(page.url).pathname.split('/')[3]!);
    },
  );

  it('is not disclosed by the link of the cart, which shows the same page for every application', async () => {
    const pages: string[] = [];
    const messages: string[] = [];
    for (const digits of ['1001', ...reasons.map(([each]) => each)]) {
      const other = await service.createMerchant();
      const { url } = await createCart(other, { errorUrl });
      if (digits === '1001') await submit(await open(url));
      const denial = digits === '1001' ? undefined : await reachDenial(url, digits);
      pages.push((await open(url)).text.replaceAll(new URL(url).pathname, ''));
      if (denial) {
        const reference = /Reference number: (?:<!--.*?-->)*([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(denial.text)![1]!;
        const sent = JSON.stringify((await other.get('/sandbox/messages')).body.messages, ['subject', 'text', 'to', 'channel']);
        expect(sent).toContain(`Reference number: ${reference}`);
        messages.push(sent.replaceAll(reference, 'F7K2-9QXM').replaceAll(/\/n\/[\w-]+/g, '/n/TOKEN'));
      }
    }
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain('This checkout is already in progress');
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain('About your application to Fairterm Lending');
    expect(messages[0]).toContain('/n/TOKEN');
  });
});

describe('A service with a mail server', () => {
  /** Decodes the quoted-printable content of an e-mail. */
  const decode = (raw: string) =>
    Buffer.from(
      raw.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      'latin1',
    ).toString('utf8');

  it('e-mails the buyer a link to the notice, and hides the reason in it and from operators', async () => {
    const { url, emails } = await startMailServer();
    const { send, close } = createEmailSender({ url, from: 'mail@pay.example', timeoutMs: 20_000 });
    const { databaseUrl, logged, createMerchant } = await startService(undefined, {}, { email: send, close });
    const cart = await createCart(await createMerchant());
    const page = await reachDenial(cart.url, '2001');

    const { to, headers, raw } = await until(() => emails[0]);
    expect({ to, subject: headers['subject'] }).toEqual({
      to: ['ada@example.com'],
      subject: 'About your application to Fairterm Lending',
    });
    expect(decode(raw)).toMatch(/http:\/\/\S+\/n\/[\w-]+/);
    expect(decode(raw)).not.toMatch(REVEALING);
    expect(emails).toHaveLength(1);
    expect(page.text).toContain('We have also sent you an email about this decision.');
    expect(logged.join('\n')).not.toMatch(REVEALING);
    const listed = await fairterm(['deliveries', 'list', '--json'], { databaseUrl });
    const { id } = (JSON.parse(listed.stdout[0]!) as { deliveries: [{ id: string }] }).deliveries[0];
    const shown = await fairterm(['deliveries', 'show', id, '--json'], { databaseUrl });
    expect([...listed.stdout, ...shown.stdout].join('\n')).toContain(id);
    expect([...listed.stdout, ...shown.stdout].join('\n')).not.toMatch(REVEALING);
  });
});
