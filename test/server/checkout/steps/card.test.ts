import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardGateway, cardSender } from '../../../../server/purchases/cards/gateway.ts';
import { createStripeGateway } from '../../../../server/purchases/cards/stripe-gateway.ts';
import { sandboxLender } from '../../../../server/lending/lenders/sandbox-lender.ts';
import { startDelivery } from '../../../../server/messages/deliver.ts';
import { DUE_NOW } from '../../../../server/messages/outbox.ts';
import { plusDays, systemClock } from '../../../../server/base/time.ts';
import {
  open,
  post,
  reachAgreement,
  reachDecision,
  reachStep,
  sessionUrl,
  submit,
  typedDigits,
} from '../../../support/checkout.ts';
import { Page } from '../../../support/page.ts';
import { createDatabase } from '../../../support/databases.ts';
import { startApp, type TestApp } from '../../../support/app.ts';
import { fetchResponse } from '../../../support/service.ts';
import { storedApplication } from '../../../support/stored.ts';
import { startStripe, type StripeServer } from '../../../support/stripe.ts';
import { until } from '../../../support/time.ts';

/** Input of a buyer who is approved for $450.00 of $750.00. */
const partiallyApproved = { taxIdLast4: '1101' };

const database = await createDatabase();

describe('The card step', () => {
  const applicationOf = (cartId: string) => storedApplication(database, cartId);

  async function reachCard(app: TestApp, query = '') {
    const cart = await app.createCart();
    return { cart, page: await reachStep(cart.url + query, 'card', partiallyApproved) };
  }

  describe('with cards of the sandbox', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await startApp(database, {});
    });
    const pick = (page: Page, card: string) => submit(page, { card });
    const signAgreement = async (agreement: Page) => {
      const { location } = Object.fromEntries((await submit(agreement)).headers);
      return new URL(location!).searchParams.get('transactionId')!;
    };
    const act = (id: string, type: string) => app.post(`/transactions/actions/${id}`, { type });

    it.each([
      ['', '$450.00 of your order of $750.00 is financed. You pay the remaining $300.00 by card.'],
      ['?lang=es', 'De su pedido de $750.00 se financian $450.00. Los $300.00 restantes los paga con tarjeta.'],
    ])('is explained before the disclosure of the loan, outside of its federal box (%j)', async (query, sentence) => {
      const agreement = await pick((await reachCard(app, query)).page, 'tok_visa');
      expect(agreement.step).toBe('agreement');
      expect(agreement.texts('p', { class: 'lead' })).toEqual([expect.stringContaining(sentence)]);
      const whole = await reachStep((await app.createCart()).url + query, 'agreement');
      expect(whole.texts('p', { class: 'lead' })[0]).not.toContain('$');
    });

    it('explains what is financed, what is paid by card, and when', async () => {
      const { page } = await reachCard(app);
      expect(page.step).toBe('card');
      for (const text of ['$450.00', '$300.00', 'Nothing is charged today', 'tok_visa', 'Visa 4242'])
        expect(page.text).toContain(text);
      expect(page.fields).toMatchObject({ card: 'tok_visa' });
    });

    it.each(['', 'tok_unknown', '4242 4242 4242 4242', '4242424242424242', 'constructor', 'tok_visa\0'])(
      'rejects an unknown card and does not show, store or log it: %j',
      async (card) => {
        const { cart, page } = await reachCard(app);
        const response = await pick(page, card);
        expect(response).toMatchObject({ status: 422, step: 'card' });
        expect(response.text).toContain('Choose a card');
        if (card) expect(response.text.replaceAll(/Visa \d{4}/g, '')).not.toContain(card);
        expect(await applicationOf(cart.id)).toMatchObject({ cardReference: '', cardLabel: '' });
        expect(app.logged.join('')).not.toMatch(typedDigits('4242(?: ?4242)*'));
      },
    );

    it('accepts a card, shows it below the disclosure, and lets the buyer change it before the signature', async () => {
      const { cart, page } = await reachCard(app);
      const agreement = await pick(page, 'tok_declined');
      expect(agreement.step).toBe('agreement');
      expect(agreement.text).toMatch(/Paid by card[^]*\$300\.00 of your order is paid by Visa 0002/);
      expect(agreement.text.indexOf('Paid by card')).toBeGreaterThan(agreement.text.indexOf('Truth in Lending'));

      const again = await open(`${sessionUrl(page)}/card`);
      expect(again.text).toContain('You have chosen Visa 0002');
      expect(again.fields).toMatchObject({ card: 'tok_declined' });
      expect((await pick(again, 'tok_visa')).text).toContain('paid by Visa 4242');
      expect(await applicationOf(cart.id)).toMatchObject({ cardReference: 'tok_visa', cardLabel: 'Visa 4242' });
    });

    it('shows the agreement again if the card changed after it was displayed', async () => {
      const { cart, page } = await reachCard(app);
      const agreement = await pick(page, 'tok_visa');
      await pick(await open(`${sessionUrl(page)}/card`), 'tok_mastercard');

      const redisplayed = await submit(agreement);
      expect(redisplayed).toMatchObject({ status: 422, step: 'agreement' });
      expect(redisplayed.text).toContain('paid by Mastercard 4444');
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'CHECKOUT_PREPARED' });
      expect(await submit(redisplayed)).toMatchObject({ status: 303 });
    });

    it('is skipped when the whole purchase is financed', async () => {
      const cart = await app.createCart();
      const page = await reachAgreement(cart.url);
      expect(page.text).not.toContain('Paid by card');
      for (const path of ['card', 'card/return?entry=tok_visa']) {
        expect(await open(`${sessionUrl(page)}/${path}`)).toMatchObject({ step: 'agreement' });
      }
      expect(await applicationOf(cart.id)).toMatchObject({ cardReference: '' });
    });

    it('causes the authorization to fail with a retryable error if the gateway is unreachable', async () => {
      const { page } = await reachCard(app);
      const id = await signAgreement(await pick(page, 'tok_unreachable'));
      for (let attempt = 0; attempt < 2; attempt++) {
        const rejected = await app.post(`/transactions/actions/${id}`, { type: 'authorize' }, { 'idempotency-key': id });
        expect(rejected).toMatchObject({ status: 500, body: { error: true, code: 'card-unavailable' } });
        expect(rejected.headers.get('idempotency-replayed')).toBeNull();
      }
      expect((await act(id, 'cancel')).body).toMatchObject({ status: 'CANCELED' });
    });
  });

  describe('without a card gateway', () => {
    it('is skipped, and the lender denies instead of approving a part', async () => {
      const app = await startApp(database, { cards: undefined });
      const cart = await app.createCart();
      const page = await reachDecision(cart.url, partiallyApproved);
      expect(page.text).not.toContain('$300.00');
      expect(page.step).toBe('declined');
      expect(page.text).toContain('Income insufficient for amount of credit requested.');
      expect(page.text).not.toContain('The amount of credit that you qualify for');
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'DENIED', financedCents: null });
    });

    it('shows an error to a buyer who has already reached it', async () => {
      const { cart, page } = await reachCard(await startApp(database, {}));
      const appWithoutCards = await startApp(database, { cards: undefined });
      const url = new URL(page.url);
      url.port = new URL((await appWithoutCards.createCart()).url).port;
      const failed = await submit(new Page(url.href, page));
      expect(failed).toMatchObject({ status: 503, step: 'card' });
      expect(failed.text).toContain('Cards cannot be accepted at the moment');
      expect(await applicationOf(cart.id)).toMatchObject({ cardReference: '' });
    });
  });

  it('requires at least the minimum card amount', async () => {
    const lender = {
      ...sandboxLender(),
      decide: async () => ({ outcome: 'approved' as const, tierId: 'A', limitCents: 74_990, reasons: ['income' as const] }),
    };
    const app = await startApp(database, { lender });
    const { cart, page } = await reachCard(app);
    expect(page.step).toBe('card');
    expect(page.text).toContain('$0.50');
    expect(await applicationOf(cart.id)).toMatchObject({ financedCents: 74_950 });
  });

  describe('with Stripe', () => {
    let stripe: StripeServer;
    let gateway: CardGateway;
    let app: TestApp;
    beforeEach(async () => {
      stripe = await startStripe();
      stripe.setHoldEnd(plusDays(systemClock.now(), 7));
      gateway = createStripeGateway({ key: 'sk_test_1', onFault: () => undefined, api: stripe.api });
      app = await startApp(database, { cards: gateway });
    });
    /** Submits the form that leads to Stripe, and returns the URL of Stripe's page, its session id and the URLs that it returns to. */
    async function openStripe(page: Page) {
      const response = await submit(page);
      const url = response.headers.get('location')!;
      const { success_url: template, cancel_url: backUrl } = stripe.requests.at(-1)!.fields;
      const sessionId = url.split('/').at(-1)!;
      const returnUrl = template!.replace('{CHECKOUT_SESSION_ID}', sessionId);
      return { response, url, sessionId, returnUrl, backUrl: backUrl! };
    }

    it('redirects the buyer to Stripe’s page', async () => {
      const { page } = await reachCard(app);
      expect(page.text).toContain('We do not receive the card number');
      expect(page.text).not.toContain('tok_visa');
      expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self' https:;/);
      const { response, url } = await openStripe(page);
      expect(response.status).toBe(303);
      expect(url).toMatch(/\/c\/pay\/cs_test_/);
    });

    it('completes a purchase, which can be authorized, settled and refunded', async () => {
      const { page } = await reachCard(app);
      const { sessionId, returnUrl } = await openStripe(page);
      stripe.enterCard(sessionId, { brand: 'mastercard', last4: '4444' });
      const agreement = await open(returnUrl);
      expect(agreement).toMatchObject({ step: 'agreement' });
      expect(agreement.text).toContain('$300.00 of your order is paid by Mastercard 4444');

      const signed = await submit(agreement);
      expect((await open(sessionUrl(page))).text).toMatch(/Paid by card<\/dt>\s*<dd>\$300\.00, Mastercard 4444/);
      const id = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
      const { cardReference: reference } = await database.query
        .selectFrom('transactions')
        .select('cardReference')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const intent = stripe.intent(reference);
      expect(intent).toMatchObject({ status: 'requires_confirmation', amount: 30_000 });
      const act = (request: object) => app.post(`/transactions/actions/${id}`, request);
      expect((await act({ type: 'authorize' })).body).toMatchObject({ status: 'AUTHORIZED', total: 75_000 });
      expect(intent.status).toBe('requires_capture');
      expect((await act({ type: 'settle' })).body).toMatchObject({ status: 'SETTLED' });
      expect((await act({ type: 'refund', amount: 50_000 })).body).toMatchObject({ status: 'SETTLED', adjustedTotal: 25_000 });

      const delivery = startDelivery({
        database,
        clock: systemClock,
        senders: { card: cardSender(gateway) },
        onError: () => undefined,
      });
      await until(() => intent.status === 'succeeded');
      // A refund that is sent before its capture is retried later. Making it due immediately avoids that delay.
      const makeDue = sql`update outbox set due_at = ${DUE_NOW} where transaction_id = ${id} and channel = 'card' and delivered_at is null`;
      await until(async () => {
        await database.write((tx) => makeDue.execute(tx));
        return stripe.refunds.length > 0;
      });
      await delivery.stop();
      expect(intent.amount_received).toBe(30_000);
      expect(stripe.refunds).toMatchObject([{ amount: 5_000, intent: reference }]);
    });

    it('explains to a buyer who canceled on Stripe’s page that nothing was charged', async () => {
      const { cart, page } = await reachCard(app);
      const { backUrl } = await openStripe(page);
      const back = await open(backUrl);
      expect(back).toMatchObject({ status: 200, step: 'card' });
      expect(back.text).toContain('No card was entered, and nothing was charged');
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'ATTEMPTED_PREPARE_CHECKOUT', cardReference: '' });
    });

    it.each([
      ['that is not finished', (sessionId: string) => sessionId],
      ['that is unknown to Stripe', () => 'cs_test_0'],
      ['that is invalid', () => '4242424242424242'],
      ['that is repeated', (sessionId: string) => `${sessionId}&entry=${sessionId}`],
    ])('rejects a session parameter %s', async (_title, entryOf) => {
      const { cart, page } = await reachCard(app);
      const { sessionId, backUrl } = await openStripe(page);
      const again = await open(`${backUrl}&entry=${entryOf(sessionId)}`);
      expect(again).toMatchObject({ status: 200, step: 'card' });
      expect(again.text).not.toContain('4242424242424242');
      expect(await applicationOf(cart.id)).toMatchObject({ cardReference: '' });
    });

    it('rejects the session of another buyer', async () => {
      const own = await reachCard(app);
      const other = await reachCard(app);
      const { sessionId } = await openStripe(other.page);
      stripe.enterCard(sessionId);
      const { backUrl } = await openStripe(own.page);
      expect(await open(`${backUrl}&entry=${sessionId}`)).toMatchObject({ step: 'card' });
      expect(await applicationOf(own.cart.id)).toMatchObject({ cardReference: '' });
    });

    it('accepts concurrent and repeated requests for the address that the return redirects to, with the same card', async () => {
      const { cart, page } = await reachCard(app);
      const { sessionId, returnUrl } = await openStripe(page);
      stripe.enterCard(sessionId);
      const redirectedTo = new URL((await fetchResponse(returnUrl)).headers.get('location')!, returnUrl).href;
      const pages = await Promise.all([open(redirectedTo), open(redirectedTo)]);
      for (const { step } of pages) expect(step).toBe('agreement');
      expect(await open(redirectedTo)).toMatchObject({ step: 'agreement' });
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'CHECKOUT_PREPARED', cardLabel: 'Visa 4242' });
    });

    it('shows an error when Stripe is unreachable, before and after the buyer enters the card', async () => {
      const { page } = await reachCard(app);
      const { sessionId, returnUrl } = await openStripe(page);
      stripe.enterCard(sessionId);
      stripe.intercept(() => ({ status: 500, body: { error: { type: 'api_error', message: 'Down' } } }));
      const returned = await open(returnUrl);
      for (const failed of [returned, await submit(page)]) {
        expect(failed).toMatchObject({ status: 503, step: 'card' });
        expect(failed.text).toContain('Cards cannot be accepted at the moment, and nothing was charged');
      }
      stripe.intercept(() => undefined);
      expect(await open(returned.url)).toMatchObject({ step: 'agreement' });
    });

    it('gives Stripe neither the session secret nor an address that works twice', async () => {
      const { cart, page } = await reachCard(app);
      const secret = sessionUrl(page).split('/').at(-1)!;
      const { sessionId, returnUrl, backUrl } = await openStripe(page);
      expect(JSON.stringify(stripe.requests)).not.toContain(secret);
      expect(JSON.stringify(await applicationOf(cart.id))).not.toContain(new URL(returnUrl).pathname.split('/').at(-1)!);
      stripe.enterCard(sessionId);
      expect(await open(returnUrl)).toMatchObject({ step: 'agreement' });
      // The browser continues under the same secret, and everything that Stripe has shows what the cart's link shows.
      expect(await open(sessionUrl(page))).toMatchObject({ step: 'agreement' });
      for (const url of [returnUrl, backUrl, returnUrl]) {
        expect(await open(url)).toMatchObject({ step: 'in-progress' });
      }
    });

    it('accepts only the last address that was given to Stripe, and only until a card was chosen', async () => {
      const { page } = await reachCard(app);
      const first = await openStripe(page);
      const second = await openStripe(page);
      expect(await open(first.returnUrl)).toMatchObject({ step: 'in-progress' });
      stripe.enterCard(second.sessionId);
      await open(`${sessionUrl(page)}/card/return?entry=${second.sessionId}`);
      expect(await open(second.returnUrl)).toMatchObject({ step: 'in-progress' });
    });

    it.each(['A', 'A'.repeat(67), '%00', '..%2F..%2Fcarts'])('ignores the return address with the token %j', async (token) => {
      const { page } = await reachCard(app);
      const { returnUrl } = await openStripe(page);
      const [valid] = new URL(returnUrl).pathname.split('/').slice(-1);
      const shown = await open(returnUrl.replace(valid!, token));
      expect(shown).toMatchObject({ status: 200, step: 'in-progress' });
      expect(await open(returnUrl)).toMatchObject({ step: 'card' });
    });

    it('opens Stripe in a new tab from a frame, and returns outside the frame in the same language', async () => {
      const { page } = await reachCard(app);
      const framed = await fetchResponse(`${sessionUrl(page)}/card?lang=es&display=frame`);
      expect(framed.text).toContain('formtarget="_blank"');
      expect(framed.text).toContain('Ya ingresé mi tarjeta');
      const { returnUrl, backUrl } = await openStripe(new Page(`${sessionUrl(page)}/card`, framed));
      for (const url of [returnUrl, backUrl]) {
        expect(url).toContain('lang=es');
        expect(url).not.toContain('display=');
      }
    });

    it('neither sends nor logs a card number from its form', async () => {
      const { page } = await reachCard(app);
      const action = `${sessionUrl(page)}/card`;
      await post(action, { ...page.fields, card: '4242424242424242', number: '4242 4242 4242 4242' });
      const number = typedDigits('4242(?: ?4242)*');
      expect(JSON.stringify(stripe.requests)).not.toMatch(number);
      expect(app.logged.join('')).not.toMatch(number);
    });
  });
});
