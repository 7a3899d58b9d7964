/** The e-mails about decisions and about the end of applications, and the pages with the same notices. */
import { describe, expect, it } from 'vitest';
import { CREATED_BY_PAGE } from '../../../../server/purchases/carts/carts.ts';
import { getServiceKey } from '../../../../server/checkout/session/store.ts';
import { runCheckoutJob } from '../../../../server/checkout/job.ts';
import { sandboxLender } from '../../../../server/lending/lenders/sandbox-lender.ts';
import { noticeKeyOf } from '../../../../server/messages/notices.ts';
import { importProgram } from '../../../../server/lending/programs/import.ts';
import { plusDays } from '../../../../server/base/time.ts';
import { formatDate, dateIn } from '../../../../shared/dates.ts';
import {
  checkoutDeps,
  createCart,
  noMail,
  open,
  type Page,
  program,
  reachDecision,
  sessionUrl,
  submit,
} from '../../../support/checkout.ts';
import { contactsOfCart } from '../../../support/page-measures.ts';
import { createProgram } from '../../../support/programs.ts';
import { wordsOf } from '../../../support/page.ts';
import { startService } from '../../../support/service.ts';
import { changeSealed } from '../../../support/stored.ts';

interface Recorded {
  to: string;
  subject: string;
  text: string;
}

/** Opens the notice that an e-mail links to, with the code that the page sends. Returns its words. */
async function readNotice(email: Recorded, emails: () => Promise<Recorded[]>): Promise<string> {
  const [link] = /\S+\/n\/\S+/.exec(email.text)!;
  const page = await submit(await open(link), {}, '/code');
  const [code] = /\b\d{6}\b/.exec((await emails())[0]!.text)!;
  const { text } = await submit(page, { noticeCode: code });
  return wordsOf(text);
}

/** Texts that reveal the credit score or the reason of a decision. */
const PERSONAL = /score: \d|key factors|income insufficient|late payments/i;

const service = await startService();
const merchant = await service.createMerchant();

describe('A buyer is e-mailed', () => {
  const newCheckout = async () => {
    const shop = await service.createMerchant();
    const expiration = dateIn(plusDays(service.clock.now(), 20), 'UTC');
    const cart = await createCart(shop, {}, { expiration });
    const emails = async () => (await shop.get('/sandbox/messages')).body.messages as Recorded[];
    return { shop, cart, emails, deadline: formatDate(expiration, 'en-US') };
  };
  const applyAs = async (url: string, taxIdLast4: string): Promise<Page> => reachDecision(url, { taxIdLast4 });
  const runJob = async (at = service.clock.now(), { database, publicUrl } = service) =>
    runCheckoutJob({
      deps: checkoutDeps(database, {
        lender: sandboxLender(),
        mail: { ...noMail, publicUrl, handling: 'recorded', noticeKey: noticeKeyOf(await getServiceKey(database.query)) },
      }),
      clock: { now: () => at },
      retention: { unfinishedApplicationHours: 24 * 365 },
      onError: (thrown) => {
        throw thrown as Error;
      },
    });

  it.each([
    ['a denial', '2001'],
    ['a decision that is not about credit', '3001'],
    ['an action that is needed', '4001'],
  ])('without the typed name about %s, because anyone may have typed a message as the name', async (_case, digits) => {
    const { cart, emails } = await newCheckout();
    const typedMessage = { firstName: 'Your account is locked', lastName: 'call Now' };
    const decided = await submit(await submit(await open(cart.url), typedMessage), { taxIdLast4: digits });
    if (digits === '4001') await submit(await open(`${sessionUrl(decided)}/cancel`));
    expect(await emails()).not.toEqual([]);
    for (const email of await emails()) {
      expect(email.text).toMatch(/^Hello,\n/);
      expect(JSON.stringify(email)).not.toContain('locked');
    }
  });

  it('with the name, the plans and the deadline about an approval, and without the score', async () => {
    const { cart, emails } = await newCheckout();
    await applyAs(cart.url, '1001');
    const [{ subject, text } = { subject: '', text: '' }] = await emails();
    expect(subject).toBe('About your application to Fairterm Lending');
    expect(text).toMatch(/^Hello Ada Lovelace,\n[^]* approved your application for credit of \$750\.00 .* at Acme Goods/);
    expect(text).toMatch(/24 monthly payments: \$34\.6\d, 9\.99% APR[^]*The approval is valid through/);
    expect(text).not.toMatch(PERSONAL);
  });

  it.each([
    ['4001', 'Your credit file is frozen'],
    ['4002', 'could not confirm your identity'],
    ['4003', 'do not match the records'],
  ])(
    'what is needed, until when, and what follows otherwise, as on the page, if the application is incomplete: %s',
    async (digits, needed) => {
      const { cart, emails } = await newCheckout();
      const deadline = formatDate(dateIn(plusDays(service.clock.now(), 14), program.timeZone), 'en-US');
      const page = await applyAs(cart.url, digits);
      const [email] = await emails();
      const words = wordsOf(page.text);
      for (const sentence of [
        needed,
        `Apply again by ${deadline}. If you do not, Fairterm Lending will be unable to give further consideration to your application.`,
      ]) {
        expect(email!.text).toContain(sentence);
        expect(words).toContain(sentence);
      }
      expect(email!.text).toContain(cart.url);
    },
  );

  it('in the language of the application', async () => {
    const { cart, emails } = await newCheckout();
    const page = await open(`${cart.url}?lang=es`);
    await submit(await submit(page), { taxIdLast4: '1101' });
    const [email] = await emails();
    expect(email).toMatchObject({ subject: 'Sobre su solicitud a Fairterm Lending' });
    expect(await readNotice(email!, emails)).toContain('puede ofrecerle un crédito de $450.00');
  });

  it('that an approval has expired, and how to apply again', async () => {
    const { cart, emails, deadline } = await newCheckout();
    await applyAs(cart.url, '1001');
    await runJob(plusDays(service.clock.now(), 8));
    const [email] = await emails();
    expect(email!.text).toContain('Your approval by Fairterm Lending for your order at');
    expect(email!.text).toContain('has expired, because the agreement was not signed by');
    expect(email!.text).toContain('nothing will be charged');
    expect(email!.text).toContain(`you can apply again through ${deadline}:\n\nApply again\n${cart.url}/restart\n`);
  });

  it.each<[string, string, (checkout: Awaited<ReturnType<typeof newCheckout>>, page: Page) => Promise<unknown>]>([
    ['the buyer', 'You canceled your application', async (_checkout, page) => submit(await open(`${sessionUrl(page)}/cancel`))],
    ['the merchant', 'ended the checkout of your order', ({ shop, cart }) => shop.post(`/carts/${cart.id}/expire`)],
    ['a restart', 'was started again', async ({ cart }) => submit(await open(`${cart.url}/restart`))],
  ])('that %s has canceled the application, with a link to apply again if it was the buyer', async (who, sentence, cancel) => {
    const checkout = await newCheckout();
    await cancel(checkout, await applyAs(checkout.cart.url, '1001'));
    const sent = await checkout.emails();
    expect(sent).toHaveLength(2);
    expect(sent[0]!.text).toContain(sentence);
    expect(sent[0]!.text).toContain('nothing will be charged');
    if (who !== 'the buyer') return expect(sent[0]!.text).not.toContain('/restart');
    const [link] = /\S+\/restart/.exec(sent[0]!.text)!;
    expect((await submit(await open(link))).step).toBe('apply');
  });

  it('nothing about the end of an application that no lender has received', async () => {
    const canceled = await newCheckout();
    await submit(await open(`${sessionUrl(await submit(await open(canceled.cart.url)))}/cancel`));
    expect(await canceled.emails()).toEqual([]);

    const expired = await newCheckout();
    await submit(await open(expired.cart.url));
    await runJob(plusDays(service.clock.now(), 30));
    expect(await expired.emails()).toEqual([]);
  });

  describe('how to apply again after they canceled before a lender received the application', () => {
    const { billingContact } = contactsOfCart;
    const cancelAfterDetails = async (url: string, over: Record<string, string> = {}) =>
      submit(await open(`${sessionUrl(await submit(await open(url), over))}/cancel`));

    it('only if the server of the merchant provided their address', async () => {
      const { shop, emails } = await newCheckout();
      const cart = await createCart(shop, { billingContact });
      await cancelAfterDetails(cart.url, { email: 'Ada+shop@example.com' });
      const [email, ...others] = await emails();
      expect(others).toEqual([]);
      expect(email).toMatchObject({ to: 'Ada+shop@example.com' });
      expect(email!.text).toMatch(/^Hello,\n\nYou canceled your application/);
      expect(email!.text).toContain(`${cart.url}/restart`);
    });

    it('not at another address than that', async () => {
      const { shop, emails } = await newCheckout();
      await cancelAfterDetails((await createCart(shop, { billingContact })).url, { email: 'victim@example.com' });
      expect(await emails()).toEqual([]);
    });

    it('not if a page of the shop created the cart, whose visitors can enter any address', async () => {
      const { shop, emails } = await newCheckout();
      const cart = await createCart(shop, { billingContact });
      await changeSealed(service.database, 'carts', cart.id, { createdBy: CREATED_BY_PAGE });
      await cancelAfterDetails(cart.url);
      expect(await emails()).toEqual([]);
    });

    it('a limited number of times in 24 hours', async () => {
      const limited = await startService(undefined, { codesPerRecipient: 2 });
      const shop = await limited.createMerchant();
      const email = { email: 'often@example.com' };
      for (let times = 0; times < 3; times++) {
        await cancelAfterDetails((await createCart(shop, { billingContact: { ...billingContact, ...email } })).url, email);
      }
      expect((await shop.get('/sandbox/messages')).body.messages).toHaveLength(2);
    });
  });

  it('that an approval has expired, without a link to apply again if the program is no longer sold', async () => {
    const own = await startService();
    const shop = await own.createMerchant();
    const now = own.clock.now();
    const ending = createProgram({ id: 'ending', effective: { to: dateIn(plusDays(now, 3), 'UTC') } });
    await importProgram(own.database, ending, [shop.merchantId], { asDefault: true }, now);
    const cart = await createCart(shop, {}, { expiration: dateIn(plusDays(now, 20), 'UTC') });
    await applyAs(cart.url, '1001');
    own.clock.moveTo(plusDays(now, 8));
    await runJob(own.clock.now(), own);
    const [email] = (await shop.get('/sandbox/messages')).body.messages as Recorded[];
    expect(email!.text).toContain('has expired, because the agreement was not signed by');
    expect(email!.text).not.toContain('/restart');
  });

  it('and merchants and platforms receive neither the reasons nor the score', async () => {
    const { shop, cart } = await newCheckout();
    await applyAs(cart.url, '1101');
    const responses = [await shop.get(`/carts/${cart.id}`), await shop.get('/sandbox/messages'), await open(cart.url)];
    for (const { text } of responses) expect(text).not.toMatch(PERSONAL);
    const row = await service.database.query
      .selectFrom('applications')
      .selectAll()
      .where('cartId', '=', cart.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toMatch(/"income"|factors|bureau/);
  });

  it('and sees the credit score disclosure apart from the plans, on the page before the agreement', async () => {
    const { text } = await applyAs((await createCart(merchant)).url, '1002');
    for (const sentence of [
      'Your credit score: <strong>702</strong>',
      'Source: <strong>Example Credit Reports</strong>',
      'Scores range from a low of 300 to a high of 850.',
      'Your credit score ranks higher than 73 percent of U.S. consumers.',
      'You have a right to dispute any inaccurate information in your credit report.',
      '1-877-322-8228',
      'www.consumerfinance.gov/learnmore',
    ]) {
      expect(text.slice(text.indexOf('class="score-disclosure '), text.indexOf('</main>'))).toContain(sentence);
    }
  });

  it('and sees why no score is available, if the bureau has none', async () => {
    const { text } = await applyAs((await createCart(merchant)).url, '1004');
    const sentence = 'Your credit score is not available from Example Credit Reports, which is a consumer reporting agency';
    expect(text.slice(text.indexOf('class="score-disclosure '), text.indexOf('</main>'))).toContain(sentence);
    expect(text).not.toContain('Scores range from');
  });
});
