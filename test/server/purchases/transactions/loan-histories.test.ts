/**
 * Random histories of loans, with fees, covered borrowers, late settlements, and lenders that state schedules: what is left of a loan is as
 * lawful as what was signed, and the events, the stored columns and the audit agree.
 */
import fc from 'fast-check';
import { create } from 'superstruct';
import { expect, it } from 'vitest';
import { type Agreement, Event, type Loan, scheduleOf } from '../../../../demo/lender/loan.ts';
import type { LoanEvent, SentEvent } from '../../../../server/lending/lenders/events.ts';
import { parseReceipt } from '../../../../server/lending/lenders/responses.ts';
import type { PaymentAgreement } from '../../../../server/lending/applications/signature.ts';
import { findApplication, saveApplication } from '../../../../server/lending/applications/store.ts';
import { dateIn, type Instant, plusDays } from '../../../../server/base/time.ts';
import { servicingSender } from '../../../../server/messages/servicing-sender.ts';
import { listDeliveries } from '../../../../server/messages/store.ts';
import { startDelivery } from '../../../../server/messages/deliver.ts';
import { readLoan, signedColumns } from '../../../../server/purchases/transactions/loan.ts';
import { savingSchedules } from '../../../../server/purchases/transactions/delivery-outcomes.ts';
import { getTransaction } from '../../../../server/purchases/transactions/store.ts';
import { addDays } from '../../../../shared/dates.ts';
import { discloseLoan } from '../../../../shared/disclosure/disclose-loan.ts';
import type { LoanDisclosure } from '../../../../shared/disclosure/loan-disclosure.ts';
import { plansFor } from '../../../../shared/plans.ts';
import { rateSheet } from '../../../../shared/programs/rate-sheet.ts';
import { importableProgram } from '../../../shared/disclosure/random-programs.ts';
import { differencesOf } from '../../../support/audit.ts';
import { campaign, campaignTimeoutMs } from '../../../support/campaign.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { until } from '../../../support/time.ts';

const SIGNED_AT: Instant = '2026-11-21T15:30:00.000000Z';
/** Tolerance of a stated APR, in basis points: 12 CFR 1026.22(a)(2). */
const TOLERANCE_BPS = 12.5;

const share = fc.oneof(fc.constant(1), fc.double({ min: 0.001, max: 1, noNaN: true }));
const change = fc.record({ share, afterDays: fc.oneof(fc.constant(0), fc.nat(60), fc.nat(500)) });
const history = fc.record({
  program: fc.nat(1_000_000),
  cents: fc.nat(1_000_000).map((at) => Math.floor(5_000 * 600 ** (at / 1_000_000))),
  plan: fc.nat(20),
  isCovered: fc.boolean(),
  feeRefundDays: fc.constantFrom(0, 30, 400),
  canceled: fc.array(change, { maxLength: 2 }),
  settledAfterDays: fc.option(fc.nat(60), { freq: 6 }),
  refunded: fc.array(change, { maxLength: 3 }),
  /** The lender's responses to events: `demo`, as the reference lender does; `random`, with payments that are mostly not possible. */
  lender: fc.constantFrom('silent', 'demo', 'random'),
  payments: fc.array(
    fc.record({ afterDays: fc.integer({ min: -40, max: 70 }), share: fc.double({ min: 0, max: 1.5, noNaN: true }) }),
    {
      maxLength: 6,
    },
  ),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const longLoan: History = {
  program: 687_960,
  cents: 11_697,
  plan: 2,
  isCovered: true,
  feeRefundDays: 30,
  canceled: [{ share: 0.17038935690681367, afterDays: 1 }],
  settledAfterDays: null,
  refunded: [],
  lender: 'demo',
  payments: [],
};

describeOnEveryEngine('A random history of a loan', async (engine) => {
  const database = await createDatabase(engine);
  const purchases = await createBuyer(database, SIGNED_AT);
  let now = SIGNED_AT;
  /** The events and outcomes that occurred at least once. */
  const seen = new Set<string>();

  function disclosureOf({ program: seed, cents, plan, isCovered, feeRefundDays }: History): LoanDisclosure | undefined {
    const random = importableProgram(seed);
    const program = {
      ...random,
      downPayment: { minCents: 0, percentBps: 0 },
      prepayment: { ...random.prepayment, feeRefundDays },
    };
    const date = dateIn(SIGNED_AT, program.timeZone);
    const { caps, ...rest } = rateSheet(program);
    const sheet = { ...rest, caps: isCovered ? { ...caps, maprCapBps: caps.maprCapBps ?? 3_600 } : caps };
    const plans = plansFor(sheet, cents, date);
    const sold = plans[plan % plans.length];
    return sold && discloseLoan(program, sold, { date, sheet, isCoveredBorrower: isCovered });
  }

  /** Creates a purchase with its signed agreement. */
  async function sign(disclosure: LoanDisclosure): Promise<string> {
    const { purchaseCents: totalCents, payments } = disclosure;
    const id = await purchases.createPurchase({
      totalCents,
      requestId: 'request',
      createdAt: SIGNED_AT,
      financing: {
        amount: totalCents,
        termLength: payments.length,
        termInterval: 'Month',
        monthly: payments[0]!.paymentCents,
        apr: disclosure.apr,
        firstPaymentDue: payments[0]!.dueOn,
        loanNumber: null,
      },
      ...signedColumns(disclosure),
    });
    await database.write(async (tx) => {
      const application = (await findApplication(tx, id))!;
      await saveApplication(tx, application, { paymentAgreements: [{ disclosure } as PaymentAgreement] });
    });
    return id;
  }

  async function follow(chosen: History, disclosure: LoanDisclosure): Promise<void> {
    const id = await sign(disclosure);
    const ref = { merchantId: purchases.merchantId, id };
    const book: Loan = { number: '1', agreement: { transactionId: id, disclosure } as unknown as Agreement, events: [] };
    const faults: string[] = [];
    const events: (LoanEvent & SentEvent)[] = [];

    const scheduleFor = (event: SentEvent): unknown => {
      if (chosen.lender === 'silent') return undefined;
      if (chosen.lender === 'demo') {
        book.events.push(create(event, Event));
        const schedule = event.type === 'authorized' ? undefined : scheduleOf(book);
        const isAhead = schedule?.every(({ dueOn }) => dueOn >= event.at.slice(0, 10));
        return isAhead && schedule
          ? { payments: schedule.map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents })) }
          : undefined;
      }
      const cents = disclosure.payments[0]!.paymentCents;
      const payments = chosen.payments.map(({ afterDays, share: part }) => ({
        dueOn: addDays(dateIn(now, 'America/New_York'), afterDays),
        amountCents: Math.max(1, Math.floor(cents * part)),
      }));
      return { payments };
    };
    const record = async (event: SentEvent) => {
      if ('transactionId' in event) events.push(event);
      const schedule = scheduleFor(event);
      const parsed = parseReceipt({ outcome: 'recorded', ...(schedule !== undefined && { schedule }) });
      if ('fault' in parsed) throw new Error(parsed.fault);
      return parsed.content;
    };
    async function deliver(): Promise<void> {
      const errors: unknown[] = [];
      const clock = { now: () => now };
      const save = savingSchedules(transactions, clock, async (_tx, _loan, fault) => void faults.push(fault));
      const senders = { lender: servicingSender({ record }, save, async () => null) };
      const delivery = startDelivery({ database, clock, senders, onError: (thrown) => errors.push(thrown), pollMs: 2 });
      const isPending = async () => {
        const rows = await listDeliveries(database.query, { applicationId: id, channel: 'lender', limit: 100 });
        return rows.some(({ deliveredAt }) => deliveredAt === null);
      };
      await until(async () => errors.length > 0 || !(await isPending()));
      await delivery.stop();
      expect(errors).toEqual([]);
    }

    /** True after a refund after which fees stay by the agreement. */
    let haveFeesStayed = false;
    let madeOn: Instant | undefined;
    const signedCents = new Map(disclosure.payments.map(({ number, paymentCents }) => [number, paymentCents]));
    const highestCents = Math.max(...signedCents.values());

    async function expectLawful(): Promise<void> {
      const row = await getTransaction(database.query, purchases.merchantId, id);
      const loan = await readLoan(database.query, row);
      const event = events.at(-1)!;
      const { financedCents, principalCents, feeCents, aprBps } = event;
      expect({ feeCents, aprBps }).toEqual({ feeCents: row.loanFeeCents, aprBps: row.loanAprBps });
      expect(principalCents).toBe(financedCents + feeCents!);
      if (loan.state === 'void') {
        expect([principalCents, feeCents, aprBps, row.loanEndsOn]).toEqual([0, 0, 0, '']);
        seen.add(`void: ${loan.cause}`);
        return;
      }
      const signedFeeCents = disclosure.fees.reduce((sum, fee) => sum + fee.cents, 0);
      expect(feeCents).toBeLessThanOrEqual(signedFeeCents);
      const { cost } = loan;
      const terms = cost ?? {
        amountFinancedCents: financedCents,
        aprBps: Math.round(disclosure.apr * 10_000),
        feeCents: signedFeeCents,
      };
      expect([financedCents, feeCents, aprBps]).toEqual([terms.amountFinancedCents, terms.feeCents, terms.aprBps]);
      expect(row.loanEndsOn).toBe(
        loan.payments === null ? disclosure.payments.at(-1)!.dueOn : (loan.payments.at(-1)?.dueOn ?? row.loanEndsOn),
      );
      if (loan.calculatedBy === 'service') {
        for (const { amountCents } of loan.payments ?? []) {
          expect(amountCents).toBeGreaterThan(0);
          expect(amountCents).toBeLessThanOrEqual(highestCents);
        }
      }
      if (haveFeesStayed) {
        seen.add('fees that stay');
        expect(disclosure.coveredBorrower).toBeNull();
        return;
      }
      if (financedCents === 0) return;
      // A stated rate is rounded to a basis point.
      expect(aprBps).toBeLessThanOrEqual(disclosure.caps.aprBps + TOLERANCE_BPS + 0.5);
      if (feeCents! > 0 && feeCents! < signedFeeCents) seen.add('fees in proportion');
      if (disclosure.coveredBorrower) {
        seen.add('covered borrower');
        expect(aprBps).toBeLessThanOrEqual(3_600);
      }
    }

    async function act(type: 'authorize' | 'cancel' | 'settle' | 'refund', part?: number): Promise<boolean> {
      const before = await getTransaction(database.query, purchases.merchantId, id);
      const amount = part === undefined ? undefined : Math.max(1, Math.floor(before.adjustedTotalCents * part));
      if (type === 'refund' ? before.status !== 'SETTLED' : !['PENDING', 'AUTHORIZED'].includes(before.status)) return false;
      const request = { type, ...(amount !== undefined && { amount }) } as Parameters<typeof transactions.act>[2];
      await transactions.act({ database, actor: 'key:12345678' }, ref, request, now);
      if (type === 'settle') madeOn = now;
      if (type === 'refund' && !disclosure.coveredBorrower) {
        const lastDay = addDays(dateIn(madeOn!, 'America/New_York'), disclosure.prepayment.feeRefundDays ?? -1);
        haveFeesStayed ||= disclosure.fees.length > 0 && dateIn(now, 'America/New_York') > lastDay;
      }
      await deliver();
      seen.add(type);
      await expectLawful();
      return true;
    }

    now = SIGNED_AT;
    await act('authorize');
    for (const { share: part } of chosen.canceled) await act('cancel', part);
    if (chosen.settledAfterDays !== null) {
      now = plusDays(now, chosen.settledAfterDays);
      await act('settle');
      for (const { share: part, afterDays } of chosen.refunded) {
        now = plusDays(now, afterDays);
        await act('refund', part);
      }
    }
    if (faults.length > 0) seen.add('rejected schedule');
    const { lenderSchedule } = await getTransaction(database.query, purchases.merchantId, id);
    if (lenderSchedule) seen.add(`schedule of the lender: ${chosen.lender}`);
    if (chosen.lender === 'demo') expect(faults).toEqual([]);
  }

  it(
    'keeps its caps, never raises a payment, and has events and columns that the audit recalculates',
    async () => {
      await fc.assert(
        fc.asyncProperty(history, async (chosen) => {
          const disclosure = disclosureOf(chosen);
          if (disclosure) await follow(chosen, disclosure);
        }),
        // Of 98 payments at 26.91 %, a cent less each makes the last one $3.47 higher.
        { examples: [[longLoan]], ...campaign<[History]>(30), endOnFailure: true },
      );
      expect(await differencesOf(database.query)).toEqual([]);
      expect([...seen]).toEqual(
        expect.arrayContaining([
          'cancel',
          'refund',
          'void: canceled',
          'fees in proportion',
          'fees that stay',
          'covered borrower',
          'rejected schedule',
          'schedule of the lender: demo',
        ]),
      );
    },
    campaignTimeoutMs,
  );
});
