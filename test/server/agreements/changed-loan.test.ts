/** A purchase that changes, with the reference lender: page, agreement, e-mail, API, the lender's book and the audit agree. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it, vi } from 'vitest';
import { createLender } from '../../../demo/lender/lender.ts';
import { sandboxGateway } from '../../../server/purchases/cards/sandbox-gateway.ts';
import { remoteLoanBook } from '../../../server/lending/lenders/loan-book.ts';
import { createSignedClient } from '../../../server/lending/lenders/signed-client.ts';
import { redeliver, redeliverFailed } from '../../../server/messages/deliveries.ts';
import { listDeliveries } from '../../../server/messages/store.ts';
import { texts } from '../../../server/base/texts.ts';
import { plusDays, systemClock } from '../../../server/base/time.ts';
import { getTransaction } from '../../../server/purchases/transactions/store.ts';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { listServicingEvents } from '../../../server/messages/servicing-store.ts';
import { differencesOf } from '../../support/audit.ts';
import { createFee, createProgram } from '../../support/programs.ts';
import type { CurrentFinancing } from '../../../shared/wire/transaction.ts';
import { copyOf, createCart, open, reachAgreement, reachStep, sessionUrl, submit } from '../../support/checkout.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { SECRET } from '../../support/lenders.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

/** Returns the sentences about payments of the API, as buyers read them. */
function paymentsIn({ payments, totalOfPayments }: CurrentFinancing): string[] {
  if (payments.length === 0) return [];
  const money = (cents: number) => texts.en.money(cents, 'USD');
  const amounts = payments.map(({ amount }) => amount);
  const runs = [...new Set(amounts)].map((cents) => {
    const count = amounts.filter((amount) => amount === cents).length;
    return `${count} payment${count === 1 ? '' : 's'} of ${money(cents)}`;
  });
  return [texts.en.list(runs), texts.en.date(payments[0]!.dueDate), money(totalOfPayments)];
}

describeOnEveryEngine('A purchase that changes', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let book: ReturnType<typeof remoteLoanBook>;
  beforeAll(async () => {
    const server = createLender([SECRET]).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const lender = { url: `http://127.0.0.1:${port}`, secrets: [SECRET], ca: undefined, timeoutMs: 10_000 };
    const client = createSignedClient(lender, systemClock, () => undefined);
    onCleanup(client.close);
    book = remoteLoanBook(client);
    service = await startService(engine, { lender });
    merchant = await service.createMerchant();
  });

  /** A purchase of $750.00; with a card, it pays $300.00 of it. */
  async function buy(card?: string) {
    const cart = await createCart(merchant);
    const agreement = card
      ? await submit(await reachStep(cart.url, 'card', { taxIdLast4: '1101' }), { card })
      : await reachAgreement(cart.url);
    return sign(agreement);
  }

  async function sign(agreement: Awaited<ReturnType<typeof reachAgreement>>) {
    const signed = await submit(agreement);
    const id = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    const copyUrl = await copyOf(await open(sessionUrl(agreement)), service.database);
    const act = (type: string, amount?: number) => merchant.post(`/transactions/actions/${id}`, { type, amount });
    const page = async () => (await open(sessionUrl(agreement))).text;
    const copy = async () => (await open(copyUrl)).text;
    /** The e-mails about changes, the latest first. */
    const loanEmails = async () => {
      const { body } = await merchant.get('/sandbox/messages');
      const messages: { subject: string; text: string }[] = body.messages;
      return messages.filter(({ text }) => text.includes(copyUrl) && !text.includes(`${copyUrl}/agreement.pdf`));
    };
    /** Requires a sentence, and the current payments of the API, on the page, at the link of the agreement, and in the latest e-mail. */
    const expectEverywhere = async (sentence: string) => {
      const { current } = (await transaction()).financing;
      const stated = [sentence, ...(current ? paymentsIn(current) : [])];
      const [loanEmail] = await loanEmails();
      for (const text of [await page(), await copy(), loanEmail!.text]) {
        const words = text.replaceAll(/<[^>]*>/g, '');
        for (const one of stated) expect(words).toContain(one);
      }
    };
    /** Requires the lender's amounts once it has received all events, and that the audit finds no difference from its book. */
    const expectLender = async (amounts: object) => {
      await until(async () => {
        const pending = service.database.query.selectFrom('outbox').select('id').where('channel', '=', 'lender');
        return (await pending.where('deliveredAt', 'is', null).execute()).length === 0;
      });
      expect((await book.page(undefined)).find(({ transactionId }) => transactionId === id)).toMatchObject(amounts);
      expect(await differencesOf(service.database.query, book)).toEqual([]);
    };
    const transaction = async () => (await merchant.get(`/transactions/${id}`)).body;
    return { id, act, transaction, loanEmails, page, copy, copyUrl, expectEverywhere, expectLender };
  }

  it('has no loan after a cancellation, and its document is the signed one with this sentence', async () => {
    const { act, transaction, page, copy, loanEmails, copyUrl, expectEverywhere, expectLender } = await buy();
    expect(await page()).toContain('Your first payment of');
    const [before, rest] = (await copy()).split('<main>');
    await act('authorize');
    await act('cancel');

    await expectEverywhere('Your order was canceled. There is no loan, and you owe nothing.');
    await expectLender({ revision: 3, financedCents: 0, disburseCents: 0, merchantFeeCents: 0 });
    const shown = await page();
    for (const absent of ['Your first payment of', 'How to pay', 'A refund reduces the amount you owe']) {
      expect(shown).not.toContain(absent);
    }
    const after = await copy();
    expect(after.startsWith(`${before}<main>`)).toBe(true);
    expect(after.endsWith(rest!)).toBe(true);
    expect((await fetch(`${copyUrl}/agreement.pdf`)).status).toBe(200);
    expect(await loanEmails()).toMatchObject([{ subject: 'Your order at Acme Goods was canceled' }]);
    const current = { amount: 0, monthly: 0, payments: [], totalOfPayments: 0 };
    expect(await transaction()).toMatchObject({ status: 'CANCELED', financing: { amount: 75_000, current } });
  });

  it('states no portions of the order that are not paid any more', async () => {
    const { act, page } = await buy('tok_visa');
    const portions = /<dt[^>]*>Financed<\/dt>\s*<dd>\$450\.00<\/dd>/;
    expect(await page()).toMatch(portions);
    await act('cancel', 20_000);
    expect(await page()).not.toMatch(portions);
  });

  it('has expired for the buyer before the job saves it', async () => {
    const { page, copy, transaction } = await buy();
    service.clock.moveTo(plusDays(systemClock.now(), 7));
    const sentence = 'Your order was not completed in time. There is no loan, and you owe nothing.';
    const shown = [await page(), await copy()];
    expect(await transaction()).toMatchObject({ status: 'EXPIRED' });
    service.clock.moveTo(systemClock.now());
    for (const text of shown) expect(text).toContain(sentence);
  });

  it('costs no interest for the days before a later settlement', async () => {
    const { act, transaction, loanEmails, page, copy, expectEverywhere, expectLender } = await buy();
    const { financing: signed } = await transaction();
    await act('authorize');
    service.clock.moveTo(plusDays(systemClock.now(), 20));
    await act('settle');
    service.clock.moveTo(systemClock.now());

    const { current, ...terms } = (await transaction()).financing;
    expect({ ...terms, current: null }).toEqual(signed);
    const [first, second] = current.payments;
    expect(current).toMatchObject({ amount: 75_000, monthly: signed.monthly, calculatedBy: 'service' });
    expect(first.dueDate).toBe(signed.firstPaymentDue);
    expect(first.amount).toBeLessThan(signed.monthly);
    expect(second.amount).toBe(signed.monthly);
    await expectEverywhere('and you pay no interest for the time before.');
    expect(await loanEmails()).toMatchObject([{ subject: 'The payments for your order at Acme Goods' }]);
    // The document is what was signed.
    expect(await copy()).toContain('Interest starts on the day when Fairterm Lending pays Acme Goods for the order');
    expect(await page()).not.toContain('Your first payment of');
    await expectLender({ revision: 3, financedCents: 75_000, disburseCents: 75_000, merchantFeeCents: 0 });
  });

  it('is the same everywhere after a partial cancellation and after a partial refund, with the schedule of the lender', async () => {
    const { act, transaction, page, copy, loanEmails, expectEverywhere, expectLender } = await buy();
    await act('cancel', 25_000);
    await expectLender({ revision: 2, financedCents: 50_000, disburseCents: 0, merchantFeeCents: 0 });
    const stated = (await transaction()).financing.current;
    expect(stated).toMatchObject({ amount: 50_000, calculatedBy: 'lender' });
    await expectEverywhere('You borrow $250.00 less than you signed for.');
    // The lender states the payments of the e-mail.
    const expectStated = async () => {
      for (const text of [await page(), await copy()]) expect(text).toContain('Fairterm Lending has stated these payments.');
    };
    await expectStated();
    const subjects = async () => (await loanEmails()).map(({ subject }) => subject);
    expect(await subjects()).toEqual(['Your loan for your order at Acme Goods is smaller']);

    // Neither changes the payments, and the lender states none.
    for (const type of ['authorize', 'settle']) await act(type);
    await expectLender({ revision: 4, financedCents: 50_000, disburseCents: 50_000, merchantFeeCents: 0 });
    expect((await transaction()).financing.current).toEqual(stated);
    await expectStated();
    expect(await loanEmails()).toHaveLength(1);

    await act('refund', 25_000);
    await expectLender({ revision: 5, financedCents: 25_000, disburseCents: 50_000, merchantFeeCents: 0 });
    expect(await transaction()).toMatchObject({ financing: { current: { amount: 25_000, calculatedBy: 'lender' } } });
    await expectEverywhere('Your loan is smaller');
    expect(await loanEmails()).toHaveLength(2);
  });

  it('is the same everywhere after the card was declined, which changes no amount', async () => {
    const { act, transaction, expectEverywhere, expectLender } = await buy('tok_declined');
    expect((await act('authorize')).body).toMatchObject({ code: 'card-declined' });
    await expectEverywhere('The card that pays $300.00 of your order was declined');
    await expectLender({ revision: 2, financedCents: 45_000, disburseCents: 0, merchantFeeCents: 0 });
    expect(await transaction()).toMatchObject({ status: 'PENDING', card: { state: 'declined' } });
  });

  it('is the same everywhere after the card was declined when it was held again for the settlement, with one e-mail for several attempts and shipments', async () => {
    const { id, act, transaction, expectEverywhere, expectLender } = await buy('tok_renewal_declined');
    await act('authorize');
    service.clock.moveTo(plusDays(service.clock.now(), 8));
    for (let attempts = 0; attempts < 2; attempts++) {
      expect((await act('settle')).body).toMatchObject({ code: 'card-declined' });
      expect((await merchant.post(`/transactions/${id}/shipment`, { trackingNumber: `T-${attempts}` })).status).toBe(200);
    }
    service.clock.moveTo(systemClock.now());
    await expectEverywhere('The card that pays $300.00 of your order was declined');
    await expectLender({ revision: 5, financedCents: 45_000, disburseCents: 0, merchantFeeCents: 0 });
    expect(await transaction()).toMatchObject({ status: 'AUTHORIZED', card: { state: 'declined' } });
  });

  it('is the same everywhere after the capture of the card has failed, and after it was captured later', async () => {
    const { id, act, transaction, loanEmails, page, copy, expectEverywhere, expectLender } = await buy('tok_capture_fails');
    for (const type of ['authorize', 'settle']) await act(type);
    await until(async () => (await transaction()).card.state === 'capture-failed');
    await expectEverywhere('The card that pays $300.00 of your order was declined or could not be charged');
    await expectLender({ revision: 4, financedCents: 45_000, disburseCents: 45_000, merchantFeeCents: 0 });

    const failure = 'could not be charged';
    expect((await Promise.all([page(), copy()])).map((text) => text.includes(failure))).toEqual([true, true]);
    vi.spyOn(sandboxGateway, 'capture').mockResolvedValueOnce().mockResolvedValueOnce();
    await redeliverFailed(service.database, { channel: 'card' });
    await until(async () => (await transaction()).card.state === 'captured');
    expect((await Promise.all([page(), copy()])).map((text) => text.includes(failure))).toEqual([false, false]);
    expect(await loanEmails()).toMatchObject([
      {
        subject: 'The card for your order at Acme Goods was charged',
        text: expect.stringContaining('The card that could not be charged before has now paid $300.00 of your order.'),
      },
      { subject: 'The card for your order at Acme Goods was declined' },
    ]);
    const { events } = (await merchant.get(`/events?transactionId=${id}&limit=100`)).body;
    expect(events.at(-1)).toMatchObject({ type: 'transaction.card_captured', data: { status: 'SETTLED', amount: 30_000 } });
    await expectLender({ revision: 5, financedCents: 45_000, disburseCents: 45_000, merchantFeeCents: 0 });

    // The operator sends the operation once more.
    const operation = async () =>
      (await listDeliveries(service.database.query, { channel: 'card', limit: 100 })).find(({ url }) => url === `card:${id}`)!;
    await redeliver(service.database, (await operation()).id);
    await until(async () => (await operation()).deliveredAt !== null);
    expect(await loanEmails()).toHaveLength(2);
  });

  /** A purchase of $1,299.00 in a loan with fees of 2 %, $10 and $9, and a cap of 35.99 %. */
  async function buyWithFees(taxIdLast4: string) {
    const fees = [createFee({ amountBps: 200, flatCents: 1_000 }), createFee({ id: 'service', kind: 'service', flatCents: 900 })];
    const program = createProgram({ id: 'fees', fees, caps: { maxAprBps: 3_599, maprCapBps: 3_600 } });
    await importProgram(service.database, program, [merchant.merchantId], { asDefault: true }, service.clock.now());
    const cart = await merchant.fairterm.carts.create({ options: { customTotal: 129_900 } });
    const { id, ...purchase } = await sign(await reachAgreement(cart.url, { taxIdLast4 }));
    const events = async () => (await listServicingEvents(service.database.query, [applicationId])).map(({ body }) => body);
    const { applicationId } = await getTransaction(service.database.query, merchant.merchantId, id);
    /** Requires an APR within the tolerance of the signed one, and the same figures in the latest e-mail, on the page, and in the event. */
    const expectLawful = async (financedCents: number) => {
      const event = (await events()).filter(({ type }) => type === 'canceled' || type === 'refunded').at(-1)!;
      const { financing } = await purchase.transaction();
      expect(event).toMatchObject({ financedCents });
      const { principalCents, feeCents, aprBps } = event as unknown as Record<string, number>;
      expect(principalCents).toBe(financedCents + feeCents!);
      expect(Math.abs(aprBps! - financing.apr * 10_000)).toBeLessThanOrEqual(13);
      const apr = texts.en.apr(aprBps! / 10_000);
      await purchase.expectEverywhere(`an annual percentage rate of ${apr}`);
      return { feeCents };
    };
    return { ...purchase, expectLawful };
  }

  it.each([
    [120_000, 9_900],
    [125_000, 4_900],
  ])('keeps its rate and shrinks its fees for a covered borrower when %d cents of 129,900 are canceled', async (cents, left) => {
    const { act, expectLawful, expectLender } = await buyWithFees('1201');
    await act('authorize');
    await act('cancel', cents);
    const { feeCents } = await expectLawful(left);
    expect(feeCents).toBeLessThanOrEqual(Math.floor((4_498 * left) / 129_900));
    await expectLender({ revision: 3, financedCents: left });
  });

  it('is repaid in full by a full refund of a covered borrower, and only fees stay for another one', async () => {
    const covered = await buyWithFees('1201');
    for (const type of ['authorize', 'settle', 'refund']) await covered.act(type);
    expect((await covered.transaction()).financing.current).toMatchObject({ amount: 0, payments: [], totalOfPayments: 0 });

    const other = await buyWithFees('1001');
    for (const type of ['authorize', 'settle', 'refund']) await other.act(type);
    const { current } = (await other.transaction()).financing;
    expect(current.totalOfPayments).toBeGreaterThanOrEqual(4_498);
    await other.expectEverywhere('These fees stay:');
    await other.expectLender({ revision: 4, financedCents: 0 });
  });
});
