import { signedAgreement } from '../../../../server/agreements/agreement.ts';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { getServiceKey } from '../../../../server/checkout/session/store.ts';
import { identityOf } from '../../../../server/checkout/web/forms.ts';
import { issueToken } from '../../../../server/http/pages/form.ts';
import type { SignedLoan } from '../../../../server/lending/lenders/lender.ts';
import { sandboxLender } from '../../../../server/lending/lenders/sandbox-lender.ts';
import type { HandlingByChannel } from '../../../../server/messages/outbox.ts';
import { plusMs, systemClock } from '../../../../server/base/time.ts';
import { startApp } from '../../../support/app.ts';
import { copyOf, open, type Page, post, reachAgreement, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { createDatabase } from '../../../support/databases.ts';
import { createProgram } from '../../../support/programs.ts';
import { changeSealed, storedApplication, storedDeliveries } from '../../../support/stored.ts';

const MINUTE_MS = 60_000;

/** Starts a checkout whose program requires codes of a kind, and returns functions to use them. */
async function start(
  code: 'none' | 'email' | 'sms',
  messageHandlings: HandlingByChannel = { email: 'recorded', text: 'recorded' },
) {
  const database = await createDatabase('sqlite');
  const loans: SignedLoan[] = [];
  const deciding = sandboxLender();
  const lender = { ...deciding, accept: async (loan: SignedLoan) => (loans.push(loan), deciding.accept(loan, {})) };
  const program = createProgram({ id: 'coded', signature: { code } });
  const app = await startApp(database, { lender, messageHandlings, program });
  const cart = await app.createCart();
  /** Returns the recorded messages with a code, the earliest first. */
  const codes = async () =>
    (await storedDeliveries(database)).flatMap(({ channel, url, body }) => {
      const { text } = JSON.parse(body) as { text: string };
      const [digits] = /(?<![\w-])\d{6}(?!\d)/.exec(text) ?? [];
      return digits && /code|código/.test(text) ? [{ channel, to: url, digits, text }] : [];
    });
  const lastCode = async () => (await codes()).at(-1)!.digits;
  const moveClock = (ms: number) => app.post('/sandbox/clock', { now: plusMs(systemClock.now(), ms) });
  const application = () => storedApplication(database, cart.id);
  return { database, app, loans, cart, codes, lastCode, moveClock, application };
}

/** Returns a code that differs from the one that was sent. */
const otherThan = (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0');

const sendCode = (page: Page) => submit(page, {}, '/signing-code');
const sign = (page: Page, signatureCode: string) => submit(page, { signatureCode }, '/agreement');

describe('A one-time code before the signature', () => {
  it.each([
    ['email', 'email', 'mailto:ada%40example.com'],
    ['sms', 'text', 'tel:+15550100100'],
  ] as const)('is sent by %s, and the agreement is signed with it', async (kind, channel, to) => {
    const { cart, loans, codes, lastCode } = await start(kind);

    const agreement = await sendCode(await reachAgreement(cart.url));
    expect(agreement.step).toBe('agreement');
    expect(await codes()).toMatchObject([{ channel, to }]);
    const signed = await sign(agreement, await lastCode());

    expect(signed).toMatchObject({ status: 303 });
    expect(loans).toMatchObject([{ codeSentBy: kind }]);
  });

  it('is not required by default', async () => {
    const { cart, loans, codes } = await start('none');
    const agreement = await reachAgreement(cart.url);

    expect(agreement.text).not.toContain('signatureCode');
    expect(await submit(agreement)).toMatchObject({ status: 303 });
    expect(await codes()).toEqual([]);
    expect(loans).toMatchObject([{ codeSentBy: null }]);
  });

  it.each([
    ['no code was sent', async () => '123456'],
    ['the field is empty', async (given: Awaited<ReturnType<typeof start>>, page: Page) => (await sendCode(page), given && '')],
    [
      'it is another one',
      async (given: Awaited<ReturnType<typeof start>>, page: Page) => (await sendCode(page), otherThan(await given.lastCode())),
    ],
  ])('prevents the signature if %s', async (_, enter) => {
    const given = await start('email');
    const agreement = await reachAgreement(given.cart.url);

    const again = await sign(agreement, await enter(given, agreement));

    expect(again).toMatchObject({ status: 422, step: 'agreement' });
    expect(again.text).toContain('id="signatureCode-error"');
    expect(given.loans).toEqual([]);
    expect(await given.application()).toMatchObject({ status: 'CHECKOUT_PREPARED' });
  });

  it('is valid for ten minutes', async () => {
    const { cart, lastCode, moveClock } = await start('email');
    const agreement = await reachAgreement(cart.url);
    await sendCode(agreement);
    const code = await lastCode();

    await moveClock(11 * MINUTE_MS);
    expect((await sign(await open(agreement.url), code)).text).toContain('This code is no longer valid.');
    await moveClock(9 * MINUTE_MS);
    expect(await sign(await open(agreement.url), code)).toMatchObject({ status: 303 });
  });

  it('is replaced by the next one', async () => {
    const { cart, codes } = await start('email');
    const agreement = await reachAgreement(cart.url);
    await sendCode(agreement);
    await sendCode(agreement);
    const [first, second] = await codes();

    if (first!.digits !== second!.digits) expect(await sign(agreement, first!.digits)).toMatchObject({ status: 422 });
    expect(await sign(agreement, second!.digits)).toMatchObject({ status: 303 });
  });

  it('is rejected after five wrong ones, even if it is correct', async () => {
    const { cart, lastCode } = await start('email');
    const agreement = await reachAgreement(cart.url);
    await sendCode(agreement);
    const code = await lastCode();

    for (let attempts = 0; attempts < 5; attempts++) {
      expect((await sign(agreement, otherThan(code))).text).toContain('This is not the code that we sent you');
    }
    expect((await sign(agreement, code)).text).toContain('Too many wrong codes were entered.');
    await sendCode(agreement);
    expect(await sign(agreement, await lastCode())).toMatchObject({ status: 303 });
  });

  it('is not stored, only a keyed hash of it', async () => {
    const { cart, lastCode, application } = await start('email');
    await sendCode(await reachAgreement(cart.url));
    const code = await lastCode();

    const { id, codes } = await application();
    const [stored] = Object.values(codes as Record<string, { hash: string }>);
    expect(stored!.hash).toMatch(/^[0-9a-f]{64}$/);
    const unkeyed = [code, `${id}|signature|${code}`].map((text) => createHash('sha256').update(text).digest('hex'));
    expect(unkeyed).not.toContain(stored!.hash);
    expect(JSON.stringify(codes)).not.toContain(`"${code}"`);
  });

  it('cannot be sent without a sender, and the page explains why', async () => {
    const { cart, loans } = await start('sms', { email: 'recorded', text: 'unavailable' });
    const agreement = await reachAgreement(cart.url);

    const unavailable = await sendCode(agreement);

    expect(unavailable).toMatchObject({ status: 503, step: 'agreement' });
    expect(unavailable.text).toContain('We cannot send messages at the moment.');
    expect(await sign(agreement, '')).toMatchObject({ status: 422 });
    expect(loans).toEqual([]);
  });

  it('is only sent while the agreement can be signed', async () => {
    const { cart, codes, database } = await start('email');
    const session = sessionUrl(await reachDecision(cart.url));
    const form = { cartId: cart.id, secret: session.split('/').at(-1)!, path: 'signing-code', nextSecret: '' };
    const token = issueToken(await getServiceKey(database.query), identityOf(form), systemClock.now());

    expect(await post(`${session}/signing-code`, { formToken: token })).toMatchObject({ status: 303 });

    expect(await codes()).toEqual([]);
  });
});

describe('The signed copy', () => {
  const complete = async (handlings?: HandlingByChannel) => {
    const given = await start('none', handlings);
    const agreement = await reachAgreement(given.cart.url);
    await submit(agreement);
    return { ...given, session: sessionUrl(agreement), completed: await open(sessionUrl(agreement)) };
  };

  it('is opened from the page of the purchase with a code that is sent by e-mail', async () => {
    const { completed, codes, lastCode } = await complete();
    expect(completed.text).not.toMatch(/\/a\//);
    expect(completed.text).toContain('a•••@example.com');

    const sent = await submit(completed, {}, '/copy-code');
    expect(await codes()).toMatchObject([{ channel: 'email', to: 'mailto:ada%40example.com' }]);
    const copy = await submit(sent, { copyCode: await lastCode() }, '/copy');

    expect(copy).toMatchObject({ status: 200, heading: 'Loan agreement' });
  });

  it('is not opened with a wrong or a used code', async () => {
    const { completed, lastCode } = await complete();
    const sent = await submit(completed, {}, '/copy-code');
    const code = await lastCode();

    const wrong = await submit(sent, { copyCode: otherThan(code) }, '/copy');
    expect(wrong).toMatchObject({ status: 422, step: 'completed' });
    expect(wrong.text).toContain('This is not the code that we sent you');
    expect(wrong.text).not.toMatch(/\/a\//);
    expect(await submit(sent, { copyCode: code }, '/copy')).toMatchObject({ heading: 'Loan agreement' });
    expect(await submit(sent, { copyCode: code }, '/copy')).toMatchObject({ status: 422 });
  });

  it('is not linked after its address was deleted', async () => {
    const { completed, cart, database, lastCode } = await complete();
    const sent = await submit(completed, {}, '/copy-code');
    const { id, paymentAgreements } = await storedApplication(database, cart.id);
    const withoutAddress = [{ ...paymentAgreements[0], documentCode: undefined }];
    await changeSealed(database, 'applications', id, { paymentAgreements: withoutAddress });

    const shown = await submit(sent, { copyCode: await lastCode() }, '/copy');

    expect(shown).toMatchObject({ status: 200, step: 'completed' });
    expect(shown.text).not.toContain('/a/');
  });

  it('in Spanish contains the agreement in English too, with other ids, and its hash covers both', async () => {
    const { database, cart, application } = await start('none');
    let page = await open(`${cart.url}?lang=es`);
    for (let step = 0; step < 4; step++) page = await submit(page);

    const { text } = await open(await copyOf(cart, database));

    for (const heading of ['Contrato de préstamo', 'Loan agreement', 'You signed this agreement in Spanish.']) {
      expect(text).toContain(heading);
    }
    const english = text.slice(text.indexOf('<div class="english" lang="en">'));
    expect(english).toContain('I have read the agreement, I accept its terms');
    expect(english).toContain('Annual percentage rate');
    expect(english).not.toMatch(/préstamo|contrato/i);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of text.matchAll(/ aria-labelledby="([^"]*)"/g)) expect(ids).toContain(id);
    const signed = signedAgreement(await application())!;
    expect(signed.documentHash).toBe(createHash('sha256').update(text).digest('hex'));
  });
});

describe('The signature', () => {
  it('is stored and sent to the lender with the time, the IP address and the browser', async () => {
    const { cart, loans, application } = await start('none');
    const agreement = await reachAgreement(cart.url);

    const body = new URLSearchParams({
      ...agreement.fields,
      electronic: 'yes',
      agree: 'yes',
      signedName: 'Ada Lovelace',
    });
    await fetch(agreement.action, { method: 'POST', body, headers: { 'user-agent': 'Test/1.0' }, redirect: 'manual' });

    const client = { ipAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/), userAgent: 'Test/1.0' };
    expect(loans).toMatchObject([{ signedName: 'Ada Lovelace', client }]);
    const signed = signedAgreement(await application());
    expect(signed).toMatchObject({ client, signedAt: loans[0]!.signedAt });
  });
});
