import { expect, describe, it } from 'vitest';
import type { Config } from '../../../server/base/config/config.ts';
import { createCart, open, type Page, reachAgreement, sessionUrl, submit } from '../../support/checkout.ts';
import { defaultEngine, type Engine, everythingStored } from '../../support/databases.ts';
import { createProgram } from '../../support/programs.ts';
import { startService, type TestMerchant } from '../../support/service.ts';
import { storedDeliveries } from '../../support/stored.ts';

const LIMITED = 'too-many-applications';

interface StartOptions {
  engine?: Engine;
  /** The one-time code that the program requires before the signature. */
  code?: 'email' | 'sms' | 'none';
}

/** Starts a service with a merchant, whose program requires a code before the signature. */
async function start(limits: Partial<Config>, { engine = defaultEngine, code = 'email' }: StartOptions = {}) {
  const service = await startService(engine, limits);
  service.clock.moveTo('2026-11-22T18:00:00.000000Z');
  const merchant = await service.createMerchant({ program: createProgram({ id: 'coded', signature: { code } }) });
  const recipients = async () =>
    (await storedDeliveries(service.database)).flatMap(({ channel, url }) =>
      channel === 'lender' ? [] : [decodeURIComponent(url)],
    );
  return { service, merchant, recipients };
}
const cartUrl = async (merchant: TestMerchant) => (await createCart(merchant)).url;
const ready = async (merchant: TestMerchant, over: Record<string, string> = {}): Promise<Page> =>
  submit(await open(await cartUrl(merchant)), over);
const sendCode = (page: Page) => submit(page, {}, '/signing-code');
/** Names that differ in letters, which identify different persons. */
const person = (index: number) => ({ lastName: `Lovelace ${'abcdefghijkl'[index]}` });

describe('One-time codes to one recipient', () => {
  it('are counted together for signatures and copies, and the page explains the limit in both languages', async () => {
    const { service, merchant } = await start({ codesPerRecipient: 2 });
    const agreement = await sendCode(await reachAgreement(await cartUrl(merchant)));
    const { body } = (await storedDeliveries(service.database)).at(-1)!;
    const [signatureCode] = /(?<![\w-])\d{6}(?!\d)/.exec((JSON.parse(body) as { text: string }).text)!;
    await submit(agreement, { signatureCode }, '/agreement');
    const completed = await open(sessionUrl(agreement));

    expect(await submit(completed, {}, '/copy-code')).toMatchObject({ status: 200 });
    const limited = await submit(completed, {}, '/copy-code');

    expect(limited).toMatchObject({ status: 429, step: 'completed' });
    expect(limited.text).toContain('Several messages were sent to you in the last 24 hours.');
    const spanish = await submit(await open(`${sessionUrl(agreement)}?lang=es`), {}, '/copy-code');
    expect(spanish).toMatchObject({ status: 429 });
    expect(spanish.text).toContain('En las últimas 24 horas se le enviaron varios mensajes.');
  });

  it('are counted for the phone number if they are sent by text message', async () => {
    const { merchant, recipients } = await start({ codesPerRecipient: 1 }, { code: 'sms' });
    const agreements = [
      await reachAgreement(await cartUrl(merchant), { email: 'one@example.com' }),
      await reachAgreement(await cartUrl(merchant), { email: 'two@example.com', phone: '555.010.0100' }),
      await reachAgreement(await cartUrl(merchant), { email: 'one@example.com', phone: '555-010-0101' }),
    ];

    const statuses = [];
    for (const agreement of agreements) statuses.push((await sendCode(agreement)).status);

    expect(statuses).toEqual([200, 429, 200]);
    expect((await recipients()).filter((url) => url.startsWith('tel:'))).toEqual(['tel:+15550100100', 'tel:+15550100101']);
  });

  it('do not prevent the signature with a code that was sent', async () => {
    const { service, merchant } = await start({ codesPerRecipient: 1 });
    const agreement = await sendCode(await reachAgreement(await cartUrl(merchant)));
    const { body } = (await storedDeliveries(service.database)).at(-1)!;
    expect(await sendCode(agreement)).toMatchObject({ status: 429, step: 'agreement' });

    const [signatureCode] = /(?<![\w-])\d{6}(?!\d)/.exec((JSON.parse(body) as { text: string }).text)!;
    expect(await submit(agreement, { signatureCode }, '/agreement')).toMatchObject({ status: 303 });
  });
});

describe('Applications that are decided by e-mail to one recipient', () => {
  it('show a page in the language of the buyer, and are not sent to the lender', async () => {
    const { merchant, recipients } = await start({ applicationsPerRecipient: 1 });
    await submit(await ready(merchant, person(0)), person(0));
    const before = await recipients();

    const limited = await submit(await ready(merchant, person(1)), person(1));
    const spanish = await submit(await open(`${sessionUrl(limited)}/apply?lang=es`), person(1));

    expect(limited).toMatchObject({ status: 429, step: LIMITED });
    expect(limited.text).toContain('Several applications with this email address were sent in the last 24 hours.');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(spanish).toMatchObject({ status: 429, heading: 'Demasiadas solicitudes de crédito' });
    expect(spanish.text).toContain('varias solicitudes con esta dirección de correo electrónico');
    expect(await recipients()).toEqual(before);
    expect((await submit(await ready(merchant, { email: 'grace@example.com' }))).step).toBe('plans');
  });

  it('do not prevent e-mails about applications that were sent before', async () => {
    const { merchant, recipients } = await start({ applicationsPerRecipient: 1, codesPerRecipient: 1 }, { code: 'none' });
    const url = await cartUrl(merchant);
    const agreement = await reachAgreement(url);
    expect((await submit(await ready(merchant, person(1)), person(1))).step).toBe(LIMITED);
    expect(await recipients()).toEqual(['mailto:ada@example.com']);

    await submit(await open(`${sessionUrl(agreement)}/cancel`));

    expect(await recipients()).toEqual(['mailto:ada@example.com', 'mailto:ada@example.com']);
  });

  it('are not counted if no lender received them, or for the test buyers of the sandbox API', async () => {
    const { merchant } = await start({ applicationsPerRecipient: 1 }, { code: 'none' });
    for (let purchases = 0; purchases < 3; purchases++) {
      const { id } = await createCart(merchant);
      expect(await merchant.post('/sandbox/checkouts', { cartId: id })).toMatchObject({ status: 200 });
    }
    const email = 'ada.lovelace@example.com';
    for (let tries = 0; tries < 2; tries++) {
      expect((await submit(await ready(merchant, { email }), { email, taxIdLast4: '5001' })).step).toBe('apply');
    }
    expect((await submit(await ready(merchant, { email }), { email })).step).toBe('plans');
  });

  it('are stored without the e-mail address', async () => {
    const { service, merchant } = await start({ applicationsPerRecipient: 5, codesPerRecipient: 5 });
    await sendCode(await reachAgreement(await cartUrl(merchant), { email: 'canary@example.com' }));

    const stored = JSON.parse(await everythingStored(service.database)) as Record<string, { [column: string]: string }[]>;

    const rows = stored['limited_attempts']!;
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(new Set(rows.map(({ subjectHash }) => subjectHash)).size).toBe(2);
  });
});
