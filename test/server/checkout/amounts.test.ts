/**
 * The amounts of random purchases: the e-mails state those of the pages, the agreement, the API and the message to the lender, from the
 * approval to the last change.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database, Tx } from '../../../server/db/database.ts';
import { servicingSender } from '../../../server/messages/servicing-sender.ts';
import type { Lender, ScheduledPayment, SignedLoan } from '../../../server/lending/lenders/lender.ts';
import { tiersWithOffers } from '../../../server/lending/lenders/responses.ts';
import { sandboxLender } from '../../../server/lending/lenders/sandbox-lender.ts';
import { startDelivery } from '../../../server/messages/deliver.ts';
import { parseEmail } from '../../../server/messages/outbox.ts';
import { listDeliveries } from '../../../server/messages/store.ts';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { type Instant, plusDays, systemClock } from '../../../server/base/time.ts';
import { expireTransactions } from '../../../server/purchases/transactions/expire.ts';
import { getTransaction } from '../../../server/purchases/transactions/store.ts';
import { savingSchedules } from '../../../server/purchases/transactions/delivery-outcomes.ts';
import type { CurrentFinancing, Transaction } from '../../../shared/wire/transaction.ts';
import { addMonths, dateIn } from '../../../shared/dates.ts';
import { formatApr } from '../../../shared/languages/texts.ts';
import { texts } from '../../../server/base/texts.ts';
import { plansFor } from '../../../shared/plans.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { differencesOf } from '../../support/audit.ts';
import { campaign, campaignTimeoutMs, isRepetition } from '../../support/campaign.ts';
import { copyOf, open, reachDecision, sessionUrl, submit, testOperator } from '../../support/checkout.ts';
import { createDatabase } from '../../support/databases.ts';
import { fetchResponse } from '../../support/service.ts';
import { storedApplication } from '../../support/stored.ts';
import { until } from '../../support/time.ts';
import { importableProgram } from '../../shared/disclosure/random-programs.ts';
import { transactionsWith } from '../../support/purchases.ts';

/** Returns the amounts of a text in ascending order. */
const amountsIn = (text: string) =>
  [...text.matchAll(/\$([\d,]+\.\d\d)(?!\d)/g)].map(([, amount]) => centsOf(amount!)).toSorted(byAmount);
const centsOf = (amount: string) => Math.round(Number(amount.replaceAll(',', '')) * 100);
const byAmount = (one: number, other: number) => one - other;
const wordsOf = (html: string) => html.replaceAll(/<style>[^]*?<\/style>/g, '').replaceAll(/<[^>]*>/g, ' ');
/** Amounts that are stated if they are above 0. */
const stated = (...amounts: number[]) => amounts.filter((cents) => cents > 0);

/** Returns the amounts of payments, one for each run of equal payments. */
function runsOf(payments: readonly number[]): number[] {
  return payments.filter((cents, index) => cents !== payments[index - 1]);
}

/** The figures of a loan after changes, to compare them. */
const figuresOf = (loan: CurrentFinancing | null) => JSON.stringify(loan && [loan.amount, loan.payments]);

/** The share of the rest that is canceled or refunded. */
const share = fc.option(fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 1, noNaN: true })), { freq: 2 });
const changes = fc
  .record({ early: share, late: share, settledAfterDays: fc.nat(40), refunds: fc.tuple(share, share) })
  .map(({ early, late, settledAfterDays, refunds }) => [
    ...adjustments('cancel', early),
    { type: 'authorize' },
    ...adjustments('cancel', late),
    { type: 'settle', afterDays: settledAfterDays },
    ...adjustments('refund', ...refunds),
  ]);
/** A change of the merchant, days after the one before. */
interface Change {
  type: string;
  share?: number;
  afterDays?: number;
}
const adjustments = (type: string, ...shares: (number | null)[]): Change[] =>
  shares.flatMap((part) => (part === null ? [] : [{ type, share: part, afterDays: 3 }]));
const example = fc.record({
  seed: fc.nat(1_000_000),
  totalCents: fc.nat(1_000_000).map((at) => Math.floor(5_000 * 600 ** (at / 1_000_000))),
  approvedShare: fc.oneof(fc.constant(1), fc.double({ min: 0.3, max: 0.999, noNaN: true })),
  tier: fc.nat(2),
  plan: fc.nat(5),
  language: fc.constantFrom('en' as const, 'es' as const),
  card: fc.constantFrom('tok_visa', 'tok_visa', 'tok_visa', 'tok_declined'),
  /** The payments with which the lender responds to each event: none, the known ones, or two of its own. */
  lenderStates: fc.constantFrom('nothing', 'known payments', 'own payments'),
  changes,
});
type Example = typeof example extends fc.Arbitrary<infer T> ? T : never;

/** Kinds of e-mails that the examples of `npm test` have. */
const TYPICAL = [
  'approval with a down payment',
  'counteroffer',
  'declined card',
  'lender after nothing was returned',
  'lender after a part was returned',
  'cancel after a part was returned',
  'cancel after all was returned',
  'expiry',
  'settle after nothing was returned',
  'settle after a part was returned',
  'refund after a part was returned',
  'refund after all was returned',
];

describe('The amounts of a purchase', () => {
  let database: Database;
  let app: TestApp;
  let now: Instant = systemClock.now();
  /** The kinds of e-mails whose amounts were compared. */
  const seen = new Set<string>();
  /** The decision of the lender. */
  let terms: Pick<Example, 'approvedShare' | 'tier' | 'lenderStates'>;
  /** The loan that the lender was last sent. */
  let sentLoan: SignedLoan | undefined;
  const lender: Lender = {
    ...sandboxLender(),
    accept: async (signed) => {
      sentLoan = signed;
      return { outcome: 'accepted' };
    },
    decide: async ({ program, amountCents, hasPlan }) => {
      const limitCents = terms.approvedShare === 1 ? null : Math.floor(amountCents * terms.approvedShare);
      const sold = tiersWithOffers(program).filter((tierId) => hasPlan(tierId, limitCents));
      const tierId = sold[terms.tier % sold.length];
      if (tierId === undefined) return { outcome: 'denied', reasons: ['income'] };
      return { outcome: 'approved', tierId, limitCents, ...(limitCents !== null && { reasons: ['income'] }) };
    },
    record: async (event) => {
      const recorded = { outcome: 'recorded' } as const;
      if (!('transactionId' in event) || terms.lenderStates === 'nothing') return recorded;
      const { current } = (await read(event.transactionId)).financing!;
      const payments = current?.payments.map(({ dueDate: dueOn, amount: amountCents }) => ({ dueOn, amountCents }));
      if (terms.lenderStates === 'own payments') {
        const signed = sentLoan!.disclosure.payments.map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents }));
        return { ...recorded, schedule: { content: { payments: ownPayments(payments ?? signed) } } };
      }
      return payments ? { ...recorded, schedule: { content: { payments } } } : recorded;
    },
  };
  /** The known payments, a month later. */
  const ownPayments = (known: readonly ScheduledPayment[]): ScheduledPayment[] =>
    known.map(({ dueOn, amountCents }) => ({ dueOn: addMonths(dueOn, 1), amountCents }));
  beforeAll(async () => {
    database = await createDatabase();
    app = await startApp(database, { lender, clock: { now: () => now, moveTo: (to: Instant) => void (now = to) } });
  });

  /** The parts of a purchase, calculated here. */
  interface Parts {
    totalCents: number;
    financedCents: number;
    downPaymentCents: number;
    cardCents: number;
  }

  function partsOf({ downPayment }: Program, { totalCents, approvedShare }: Example): Parts {
    // Card payments are at least 50 cents.
    const approved = approvedShare === 1 ? totalCents : Math.min(Math.floor(totalCents * approvedShare), totalCents - 50);
    const percent = Math.ceil((approved * downPayment.percentBps) / 10_000);
    const downPaymentCents = Math.min(approved, Math.max(downPayment.minCents, percent));
    const financedCents = approved - downPaymentCents;
    return { totalCents, financedCents, downPaymentCents, cardCents: totalCents - financedCents };
  }

  /** Returns the e-mails about an application that are not in `known`, and adds them to it. */
  async function newEmails(applicationId: string, known: Set<string>) {
    const rows = await listDeliveries(database.query, { applicationId, channel: 'email', limit: 100 });
    const added = rows.filter(({ id }) => !known.has(id));
    for (const { id } of added) known.add(id);
    return added.map(({ body }) => parseEmail(body));
  }

  /** Signs the plan of an example, and requires the same amounts on the way. Returns undefined if it was not approved. */
  async function buy(chosen: Example, { financedCents, downPaymentCents, cardCents, totalCents }: Parts) {
    const { id: cartId, url } = await app.createCart({ customTotal: totalCents });
    const plans = await reachDecision(`${url}?lang=${chosen.language}`);
    if (plans.step !== 'plans') return undefined;
    const application = await storedApplication(database, cartId);
    const known = new Set<string>();
    const [decision] = await newEmails(application.id, known);
    const isPart = chosen.approvedShare !== 1;
    seen.add(isPart ? 'counteroffer' : downPaymentCents > 0 ? 'approval with a down payment' : 'approval');
    const monthly = application.offers.map((offer) => offer.monthly.value);
    const parts = stated(financedCents, cardCents, downPaymentCents);
    const told = amountsIn(wordsOf(decision!.notice?.html ?? decision!.html));
    expect(told).toEqual([...parts, ...(isPart ? [totalCents] : []), ...monthly].toSorted(byAmount));
    expect(amountsIn(plans.text)).toEqual(expect.arrayContaining(told));

    const { offers } = application;
    let page = await submit(plans, { offerId: offers[chosen.plan % offers.length]!.id });
    expect(page.step).toBe(cardCents > 0 ? 'card' : 'agreement');
    if (page.step === 'card') {
      expect(amountsIn(page.text)).toEqual(expect.arrayContaining(parts));
      page = await submit(page, { card: chosen.card });
    }
    expect(amountsIn(page.text)).toEqual(expect.arrayContaining(parts));
    const signed = await submit(page);
    const transactionId = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    const sessionPage = sessionUrl(page);
    const { disclosure } = (await storedApplication(database, cartId)).paymentAgreements[0]!;
    expect(disclosure).toMatchObject({ amountFinancedCents: financedCents, downPaymentCents });
    expect(sentLoan!.disclosure).toEqual(disclosure);
    const copyUrl = await copyOf(await open(sessionPage), database);
    const [email] = await newEmails(application.id, known);
    const agreement = amountsIn(email!.text);
    const payments = disclosure.paymentRows.map(({ paymentCents }) => paymentCents);
    expect(agreement).toEqual(
      [...stated(financedCents, cardCents), ...payments, disclosure.totalOfPaymentsCents].toSorted(byAmount),
    );
    const copy = await open(copyUrl);
    for (const { text } of [await open(sessionPage), copy]) {
      expect(amountsIn(text)).toEqual(expect.arrayContaining(agreement));
    }
    const costs = [disclosure.financeChargeCents, disclosure.totalOfPaymentsCents];
    for (const { text } of [plans, page, copy]) expect(amountsIn(text)).toEqual(expect.arrayContaining(costs));
    for (const { text } of [plans, page, copy, email!]) expect(text).toContain(formatApr(disclosure.apr));
    return { applicationId: application.id, transactionId, sessionPage, copyUrl, known };
  }

  const transactions = () =>
    transactionsWith({ mail: { publicUrl: app.publicUrl, handling: 'recorded', operator: testOperator } });
  const fail = (thrown: unknown) => {
    throw thrown;
  };
  const expireDue = () =>
    expireTransactions({
      database,
      transactions: transactions(),
      now,
      onError: fail,
    });

  const rejectFault = async (_tx: Tx, _loan: unknown, fault: string) => fail(new Error(fault));

  /** Delivers the events to the lender, and saves the payments that it states. */
  async function deliverEvents() {
    const sender = servicingSender(lender, savingSchedules(transactions(), { now: () => now }, rejectFault), async () => null);
    const delivery = startDelivery({ database, clock: systemClock, senders: { lender: sender }, onError: fail, pollMs: 5 });
    const pending = database.query
      .selectFrom('outbox')
      .select('id')
      .where('channel', '=', 'lender')
      .where('deliveredAt', 'is', null);
    await until(async () => (await pending.execute()).length === 0);
    await delivery.stop();
  }

  const read = async (id: string): Promise<Transaction> =>
    (await fetchResponse(`${app.publicUrl}/transactions/${id}`, { headers: { authorization: app.authorization } })).body;

  /** Requires that the stored end of a loan is the day of its last payment in the API. */
  async function expectLoanEnd({ serviceTransactionId: id, financing }: Transaction, hasLoan: boolean): Promise<void> {
    const { loanEndsOn } = await getTransaction(database.query, app.merchantId, id);
    const payments = financing?.current?.payments ?? sentLoan!.disclosure.payments.map(({ dueOn: dueDate }) => ({ dueDate }));
    // Without payments, it is the day on which they ended.
    expect(loanEndsOn).toEqual(hasLoan ? (payments.at(-1)?.dueDate ?? expect.stringMatching(/^20/)) : '');
  }

  /** Changes a purchase, and requires that each e-mail states what the API, the page and the agreement at its link state. */
  async function follow(
    chosen: Example,
    parts: Parts,
    { applicationId, transactionId, sessionPage, copyUrl, known }: NonNullable<Awaited<ReturnType<typeof buy>>>,
  ) {
    const { financedCents, cardCents } = parts;
    let before = await read(transactionId);
    /** The amount of the loan when it was made. */
    let lentCents: number | undefined;
    /** The sum of all refunds to a card that was charged. */
    let cardRefundedCents = 0;
    for (const step of chosen.changes satisfies Change[]) {
      now = plusDays(now, step.afterDays ?? 0);
      const amount = step.share && { amount: Math.max(1, Math.floor(before.adjustedTotal * step.share)) };
      const { status } = await app.post(`/transactions/actions/${transactionId}`, { type: step.type, ...amount });
      await expireDue();
      const after = await read(transactionId);
      const loanEmails = await newEmails(applicationId, known);
      const { current } = after.financing!;
      const leftCents = after.status === 'EXPIRED' ? 0 : Math.max(0, after.adjustedTotal - cardCents);
      if (after.status === 'SETTLED') lentCents ??= leftCents;
      if (step.type === 'refund' && after.card?.state !== 'capture-failed')
        cardRefundedCents += (before.card?.amount ?? 0) - (after.card?.amount ?? 0);
      if (current) expect(current.amount).toBe(leftCents);
      else expect(leftCents).toBe(financedCents);
      const isDeclined = status === 500 && after.card?.state === 'declined' && before.card?.state !== 'declined';
      const hasChanged = figuresOf(before.financing!.current) !== figuresOf(current);
      const isOpen = !['CANCELED', 'EXPIRED'].includes(after.status);
      const hasEnded = !isOpen && after.status !== before.status;
      expect(loanEmails.length).toBe(hasEnded || isDeclined || hasChanged ? 1 : 0);
      const unpaid = isOpen && after.card?.state === 'declined' ? after.card.amount : 0;
      /** Requires the current figures in an e-mail, and those of the e-mail on the page and in the agreement. */
      const expectLoanEmail = async ({ text: loanEmail }: { text: string }, what: string, loan: CurrentFinancing | null) => {
        const payments = loan?.payments.map((payment) => payment.amount) ?? [];
        // Financed fees can be left of a loan that was refunded.
        const returned = leftCents === 0 ? [] : [financedCents - (lentCents ?? leftCents), (lentCents ?? leftCents) - leftCents];
        const figures = [...stated(...returned), ...runsOf(payments), loan?.totalOfPayments ?? 0];
        const told =
          what === 'declined card' ? [unpaid] : [...(payments.length === 0 ? [] : figures), ...stated(unpaid, cardRefundedCents)];
        seen.add(what);
        const lines = loanEmail.split('\n');
        const { cost, fees, feesStay } = texts[chosen.language].loanNow;
        const isCost = (line: string) => [cost, fees, feesStay].some((text) => line.startsWith(text.split('{')[0]!));
        expect(amountsIn(lines.filter((line) => !isCost(line)).join('\n'))).toEqual(told.toSorted(byAmount));
        const costs = amountsIn(lines.filter(isCost).join('\n'));
        const hasCost = lines.some((line) => line.startsWith(cost.split('{')[0]!));
        expect(hasCost).toBe(what !== 'declined card' && isOpen && 0 < leftCents && leftCents < financedCents);
        // Before the loan is made, the payments are those of the whole loan.
        const chargeCents = (loan?.totalOfPayments ?? 0) - leftCents;
        if (hasCost) expect(costs).toContain(leftCents);
        if (hasCost && lentCents === undefined && loan?.calculatedBy === 'service') expect(costs).toContain(chargeCents);
        const sentences = lines.filter((line) => line.startsWith(chosen.language === 'en' ? 'Payments:' : 'Pagos:'));
        for (const { text } of [await open(sessionPage), await open(copyUrl)]) {
          expect(amountsIn(text)).toEqual(expect.arrayContaining(amountsIn(loanEmail)));
          for (const sentence of sentences) expect(text).toContain(sentence.replace(/^\w+: /, ''));
        }
      };
      const extent = `${leftCents === 0 ? 'all' : leftCents < financedCents ? 'a part' : 'nothing'} was returned`;
      const what = isDeclined ? 'declined card' : after.status === 'EXPIRED' ? 'expiry' : `${step.type} after ${extent}`;
      for (const loanEmail of loanEmails) await expectLoanEmail(loanEmail, what, current);
      await expectLoanEnd(after, (lentCents ?? leftCents) > 0);

      await deliverEvents();
      before = await read(transactionId);
      const { current: loanStated } = before.financing!;
      const hasStated = figuresOf(loanStated) !== figuresOf(current);
      const restatements = await newEmails(applicationId, known);
      expect(restatements.length).toBe(hasStated ? 1 : 0);
      for (const loanEmail of restatements) await expectLoanEmail(loanEmail, `lender after ${extent}`, loanStated);
      await expectLoanEnd(before, (lentCents ?? leftCents) > 0);
    }
  }

  it(
    'are the same in each e-mail, on the pages, in the agreement, in the API and in the message to the lender',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.noBias(example), async (chosen) => {
          const program = importableProgram(chosen.seed);
          now = systemClock.now();
          if (plansFor(rateSheet(program), chosen.totalCents, dateIn(now, program.timeZone)).length === 0) return;
          await importProgram(database, program, [app.merchantId], { asDefault: true }, now);
          terms = chosen;
          const parts = partsOf(program, chosen);
          const purchase = await buy(chosen, parts);
          if (purchase) await follow(chosen, parts, purchase);
        }),
        { ...campaign<[Example]>(15), endOnFailure: true },
      );
      if (!isRepetition) expect([...seen]).toEqual(expect.arrayContaining(TYPICAL));
      expect(await differencesOf(database.query)).toEqual([]);
    },
    campaignTimeoutMs,
  );
});
