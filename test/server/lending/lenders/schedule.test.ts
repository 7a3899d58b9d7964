import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addMonths, type CivilDate, daysBetween } from '../../../../shared/dates.ts';
import { recast, type Reduction } from '../../../../shared/recast.ts';
import type { LenderSchedule, ScheduledPayment } from '../../../../server/lending/lenders/lender.ts';
import { SCHEDULE_REASONS } from '../../../../server/lending/lenders/lender.ts';
import { faultOfSchedule, type KnownLoan, type ScheduleRule } from '../../../../server/lending/lenders/schedule.ts';
import { createDisclosure } from '../../../shared/disclosure/create-disclosure.ts';
import { campaign, campaignTimeoutMs } from '../../../support/campaign.ts';
import { createFee } from '../../../support/programs.ts';

/** $600.00 for a year, with a fee of $12.00. Signed on 2026-11-21, at an APR of about 21.8 %. */
/** Two cents for each payment with their interest: the future value of an annuity. */
function mostRoundingCents({ disclosure: { noteRateBps, payments } }: KnownLoan): number {
  const rate = noteRateBps / 120_000;
  return Math.ceil(rate === 0 ? 2 * payments.length : (2 * ((1 + rate) ** payments.length - 1)) / rate + 1e-6);
}

const disclosure = createDisclosure({ fees: [createFee({ amountBps: 200 })], schedule: { interestFrom: 'settlement' } }, 60_000);
const signedOn = disclosure.date;

/** Returns the loan after an event, as the service knows it. */
function loanAfter(changes: Partial<Omit<KnownLoan, 'payments'>> = {}): KnownLoan {
  const loan = { disclosure, reductions: [], settledOn: signedOn, on: signedOn, isInRepayment: false, ...changes };
  const payments = recast(loan.disclosure, loan.reductions, loan.settledOn)
    .payments.filter(({ dueOn }) => !loan.isInRepayment || dueOn > loan.on)
    .map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents }));
  return { ...loan, payments };
}

const settlement = loanAfter();
/** A refund of $200.00 after three payments. */
const refundedOn: CivilDate = '2027-03-01';
const refund = loanAfter({ on: refundedOn, isInRepayment: true, reductions: [{ cents: 20_000, on: refundedOn }] });
const refundWithoutInterest = loanAfter({
  disclosure: createDisclosure({ offers: [{ id: 'zero', termLength: 12, tierAprBps: { A: 0 } }] }, 60_000),
  on: refundedOn,
  isInRepayment: true,
  reductions: [{ cents: 20_000, on: refundedOn }],
});
/** An event that changes no payment, after three payments. */
const unchanged = loanAfter({ on: refundedOn, isInRepayment: true });
const withCaps = (loan: KnownLoan, caps: Partial<KnownLoan['disclosure']['caps']>): KnownLoan => ({
  ...loan,
  disclosure: { ...loan.disclosure, caps: { ...disclosure.caps, ...caps } },
});

type Change = (payment: ScheduledPayment, index: number, all: readonly ScheduledPayment[]) => Partial<ScheduledPayment>;
const changed = ({ payments }: KnownLoan, change: Change): ScheduledPayment[] =>
  payments.map((payment, index, all) => ({ ...payment, ...change(payment, index, all) }));
const scaled = (loan: KnownLoan, factor: number) =>
  changed(loan, ({ amountCents }) => ({ amountCents: Math.round(amountCents * factor) }));
const raised = (loan: KnownLoan, at: number, cents: number) =>
  changed(loan, ({ amountCents }, index) => ({ amountCents: amountCents + (index === at ? cents : 0) }));
const monthsLater = (loan: KnownLoan, months: number) => changed(loan, ({ dueOn }) => ({ dueOn: addMonths(dueOn, months) }));
const first = ({ payments }: KnownLoan) => payments[0]!;

type Case = [what: string, loan: KnownLoan | 'void', schedule: LenderSchedule, rule: ScheduleRule | undefined, field?: string];
const reason = 'term-changed';

const cases: Case[] = [
  ['that the service knows, at the settlement', settlement, { payments: settlement.payments }, undefined],
  ['that the service knows, after a refund', refund, { payments: refund.payments }, undefined],
  ['that was signed, after the refund', refund, { payments: unchanged.payments }, 'payment', 'payments.0'],
  [
    'with two payments on one day',
    settlement,
    { payments: [first(settlement), first(settlement)] },
    'ascending',
    'payments.1.dueOn',
  ],
  ['in descending order', settlement, { payments: settlement.payments.toReversed() }, 'ascending', 'payments.1.dueOn'],
  [
    'of two payments of $999.99 in 2020',
    settlement,
    {
      payments: [
        { dueOn: '2020-01-01', amountCents: 99_999 },
        { dueOn: '2020-02-01', amountCents: 99_999 },
      ],
    },
    'day',
    'payments.0.dueOn',
  ],
  [
    'with a payment on the day before the event',
    refund,
    { payments: [{ dueOn: '2027-02-28', amountCents: 1 }, ...refund.payments], reason },
    'day',
    'payments.0.dueOn',
  ],
  ['a month earlier, from the day of the settlement', settlement, { payments: monthsLater(settlement, -1) }, undefined],
  ['below the principal', settlement, { payments: scaled(settlement, 0.9) }, 'principal', 'payments'],
  [
    'of a cent less than the principal',
    settlement,
    { payments: [{ ...first(settlement), amountCents: 61_199 }] },
    'principal',
    'payments',
  ],
  ['of the principal', settlement, { payments: [{ ...settlement.payments.at(-1)!, amountCents: 61_200 }] }, undefined],
  ['without payments, at the settlement', settlement, { payments: [] }, 'principal', 'payments'],
  [
    'below the principal with a reason, which the settlement cannot have',
    settlement,
    { payments: scaled(settlement, 0.9), reason: 'payments-received' },
    'principal',
    'payments',
  ],
  [
    'of a cent more than the signed total',
    settlement,
    { payments: changed(settlement, ({ amountCents }, index) => ({ amountCents: amountCents + (index === 0 ? 1 : 0) })) },
    'total',
    'payments',
  ],
  ['of the signed total, two months later', settlement, { payments: monthsLater(settlement, 2) }, undefined],
  [
    'of the signed total, after a cancellation',
    loanAfter({ settledOn: undefined, reductions: [{ cents: 10_000, on: undefined }] }),
    { payments: settlement.payments },
    'total',
    'payments',
  ],
  ['below the balance', refund, { payments: scaled(refund, 0.8) }, 'balance', 'payments'],
  [
    'below the balance, because payments were received',
    refund,
    { payments: scaled(refund, 0.8), reason: 'payments-received' },
    undefined,
  ],
  ['without payments, because the loan was repaid', refund, { payments: [], reason: 'payments-received' }, undefined],
  ['without payments', refund, { payments: [] }, 'balance', 'payments'],
  [
    'that is higher by two cents for each payment of the agreement with their interest, which is rounding',
    refund,
    { payments: raised(refund, 2, 27) },
    undefined,
  ],
  ['with a payment that is higher by more than rounding', refund, { payments: raised(refund, 2, 28) }, 'payment', 'payments.2'],
  ['whose last payment absorbs the differences of rounding', refund, { payments: raised(refund, 8, 27) }, undefined],
  ['whose last payment absorbs more', refund, { payments: raised(refund, 8, 28) }, 'payment', 'payments.8'],
  [
    'that is below the balance by rounding',
    refundWithoutInterest,
    { payments: raised(refundWithoutInterest, 0, -24) },
    undefined,
  ],
  [
    'that is below the balance by more',
    refundWithoutInterest,
    { payments: raised(refundWithoutInterest, 0, -25) },
    'balance',
    'payments',
  ],
  [
    'with one more payment',
    unchanged,
    { payments: [...unchanged.payments, { dueOn: '2027-12-21', amountCents: 1 }] },
    'payment',
    'payments.9',
  ],
  [
    'with one more payment, because the term was changed',
    unchanged,
    { payments: [...scaled(unchanged, 0.905), { dueOn: '2027-12-21', amountCents: 5_300 }], reason },
    undefined,
  ],
  ['of a shorter term', unchanged, { payments: scaled(unchanged, 1.09).slice(0, 8), reason }, undefined],
  [
    'with a missed payment, in addition to the next one',
    unchanged,
    {
      payments: changed(unchanged, ({ amountCents }, index) => ({
        amountCents: index === 0 ? 2 * amountCents + 90 : amountCents,
      })),
      reason: 'payment-missed',
    },
    undefined,
  ],
  [
    'a day earlier',
    unchanged,
    { payments: changed(unchanged, ({ dueOn }) => ({ dueOn: addDays(dueOn, -1) })) },
    'monthly',
    'payments',
  ],
  ['a day later', unchanged, { payments: changed(unchanged, ({ dueOn }) => ({ dueOn: addDays(dueOn, 1) })) }, undefined],
  [
    'of higher payments every second week',
    unchanged,
    { payments: changed(unchanged, (_each, index) => ({ dueOn: addDays('2027-03-21', 14 * index) })), reason },
    'monthly',
    'payments',
  ],
  [
    'that skips a month for a higher payment',
    unchanged,
    {
      payments: changed(unchanged, ({ amountCents }, index) => ({
        amountCents: index === 1 ? 2 * amountCents + 90 : amountCents,
      })).slice(1),
      reason,
    },
    undefined,
  ],
  ['with an APR above the cap', unchanged, { payments: scaled(unchanged, 1.3), reason }, 'apr', 'payments'],
  [
    'with an APR between both caps',
    withCaps(unchanged, { aprBps: 3_599, maprBps: 2_250 }),
    { payments: scaled(unchanged, 1.02), reason },
    'mapr',
    'payments',
  ],
  [
    'with an APR between both caps, without a military cap',
    withCaps(unchanged, { aprBps: 3_599, maprBps: null }),
    { payments: scaled(unchanged, 1.02), reason },
    undefined,
  ],
  [
    'with an APR above the cap, because a payment was missed',
    unchanged,
    { payments: scaled(unchanged, 2.5), reason: 'payment-missed' },
    'apr',
    'payments',
  ],
  [
    'of the interest of the whole first month, after a settlement 25 days later',
    withCaps(loanAfter({ settledOn: '2026-12-16', on: '2026-12-16' }), { aprBps: 2_200 }),
    { payments: settlement.payments },
    'apr',
    'payments',
  ],
  ['without payments of a loan that was not made', 'void', { payments: [] }, undefined],
  ['with payments of a loan that was not made', 'void', { payments: settlement.payments, reason }, 'void', 'payments'],
];

describe('A schedule with which a lender responds to an event', () => {
  it.each(cases)('%s', (_what, loan, schedule, rule, field) => {
    const fault = faultOfSchedule(schedule, loan);
    expect(fault?.rule).toBe(rule);
    if (rule) expect(fault!.fault).toMatch(new RegExp(`^schedule\\.${field}: expected [^\\d]+, but received [^\\d]+$`));
  });
});

/** A loan with random reductions, after a random event. */
const history = fc
  .record({
    cents: fc.integer({ min: 20_000, max: 1_000_000 }),
    termLength: fc.integer({ min: 1, max: 36 }),
    aprBps: fc.integer({ min: 0, max: 3_000 }),
    feeBps: fc.constantFrom(0, 100, 300),
    early: fc.option(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { nil: undefined }),
    settledAfter: fc.integer({ min: 0, max: 70 }),
    refunds: fc.array(fc.record({ share: fc.double({ min: 0.01, max: 0.6, noNaN: true }), days: fc.nat(200) }), { maxLength: 3 }),
    kind: fc.constantFrom('signed', 'settled', 'later'),
    days: fc.nat(200),
  })
  .map(({ cents, termLength, aprBps, feeBps, early, settledAfter, refunds, kind, days }) => {
    const signed = createDisclosure(
      {
        offers: [{ id: 'offer', termLength, tierAprBps: { A: aprBps } }],
        fees: [createFee({ amountBps: feeBps })],
        schedule: { interestFrom: 'settlement' },
        caps: { maxAprBps: 9_999, maprCapBps: null },
      },
      cents,
    );
    // Before the settlement, the dates of the agreement do not move, so that they would lie before a later event.
    let on = addDays(signed.date, kind === 'signed' ? settledAfter % 30 : settledAfter);
    const settledOn = kind === 'signed' ? undefined : on;
    let leftCents = cents;
    const reduce = (share: number): number => {
      const reduced = Math.max(1, Math.floor(leftCents * share));
      leftCents -= reduced;
      return reduced;
    };
    const reductions: Reduction[] = early === undefined ? [] : [{ cents: reduce(early), on: undefined }];
    if (kind === 'later') {
      for (const { share, days: after } of refunds) reductions.push({ cents: reduce(share), on: (on = addDays(on, after)) });
      on = addDays(on, days);
    }
    return loanAfter({ disclosure: signed, reductions, settledOn, on, isInRepayment: kind === 'later' });
  });

/** Random deviations from the known payments, and a random reason. */
const deviation = fc.record({
  factor: fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 2, noNaN: true })),
  months: fc.integer({ min: -1, max: 3 }),
  left: fc.double({ min: 0, max: 1, noNaN: true }),
  added: fc.nat(3),
  reason: fc.constantFrom(undefined, ...SCHEDULE_REASONS),
});

/** Small deviations from the known payments, and a cap near the APR of the agreement. */
const nearby = fc.record({
  factor: fc.double({ min: 0.98, max: 1.1, noNaN: true }),
  months: fc.integer({ min: -1, max: 1 }),
  capBps: fc.integer({ min: 0, max: 1_000 }),
});

/**
 * Returns what is left of an account that is charged `bps` from the first day, month by month, after all payments and credits. A loan that costs
 * more leaves less than nothing.
 */
function leftAt(
  bps: number,
  { disclosure: signed, reductions, settledOn }: KnownLoan,
  { payments }: LenderSchedule,
  on: CivilDate,
): number {
  const early = reductions.filter((each) => each.on === undefined);
  const knownOn = (day: CivilDate) =>
    recast(
      signed,
      reductions.filter((each) => each.on === undefined || each.on < day),
      settledOn,
    );
  let balance = signed.amountFinancedCents - early.reduce((sum, { cents }) => sum + cents, 0);
  const credits = reductions.filter((each) => each.on !== undefined);
  const creditedUntil = (day: CivilDate) => {
    while (credits[0] && credits[0].on! < day) {
      const { cents } = credits.shift()!;
      const made = reductions.slice(0, reductions.length - credits.length);
      const overpaid = recast(signed, made, settledOn).overpaidCents - recast(signed, made.slice(0, -1), settledOn).overpaidCents;
      balance -= cents - overpaid;
    }
  };
  const [due] = recast(signed, early, settledOn).payments;
  const firstOn = due!.dueOn <= on ? due!.dueOn : payments[0]!.dueOn;
  const from = settledOn ?? signed.date;
  let monthsBefore = 0;
  while (addMonths(firstOn, -monthsBefore - 1) >= from) monthsBefore++;
  const oddDays = daysBetween(from, addMonths(firstOn, -monthsBefore));
  const monthlyRate = bps / 120_000;
  for (let month = 0; ; month++) {
    const day = addMonths(firstOn, month);
    if (day > payments.at(-1)!.dueOn) break;
    creditedUntil(day);
    balance *= month === 0 ? (1 + (monthlyRate * oddDays) / 30) * (1 + monthlyRate) ** monthsBefore : 1 + monthlyRate;
    const paid = day <= on ? knownOn(day).payments.find(({ dueOn }) => dueOn === day)?.paymentCents : undefined;
    balance -= paid ?? 0;
    balance -= payments.find(({ dueOn }) => dueOn === day)?.amountCents ?? 0;
  }
  creditedUntil('9999-12-31');
  return balance;
}

describe('Random schedules', () => {
  it(
    'are used if they are those of the service',
    () => {
      fc.assert(
        fc.property(history, (loan) => faultOfSchedule({ payments: loan.payments }, loan) === undefined),
        campaign(200),
      );
    },
    campaignTimeoutMs,
  );

  it(
    'that are used are in order, state what is owed, and without a reason no more than is known',
    () => {
      fc.assert(
        fc.property(history, deviation, (loan, { factor, months, left, added, reason: stated }) => {
          const known = monthsLater({ ...loan, payments: scaled(loan, factor) }, months);
          const last = known.at(-1);
          const more = last
            ? Array.from({ length: added }, (_, index) => ({ ...last, dueOn: addMonths(last.dueOn, index + 1) }))
            : [];
          const payments = [...known.slice(Math.floor(known.length * (left < 0.5 ? 0 : left - 0.5))), ...more];
          const schedule = { payments: payments.filter(({ amountCents }) => amountCents > 0), reason: stated };
          if (faultOfSchedule(schedule, loan)) return;

          const days = schedule.payments.map(({ dueOn }) => dueOn);
          expect(days).toEqual([...new Set(days)].toSorted());
          expect(days.every((day) => day >= loan.on)).toBe(true);
          const sumOf = (all: readonly ScheduledPayment[]) => all.reduce((sum, { amountCents }) => sum + amountCents, 0);
          const own = recast(loan.disclosure, loan.reductions, loan.settledOn).payments.filter(
            ({ dueOn }) => !loan.isInRepayment || dueOn > loan.on,
          );
          const owedCents = own.reduce((sum, { principalCents }) => sum + principalCents, 0);
          if (loan.isInRepayment && stated !== undefined) return;
          expect(sumOf(schedule.payments)).toBeGreaterThanOrEqual(owedCents - (loan.isInRepayment ? mostRoundingCents(loan) : 0));
          const signedCents = recast(loan.disclosure, loan.reductions).payments.reduce(
            (sum, { paymentCents }) => sum + paymentCents,
            0,
          );
          const mayRound = loan.isInRepayment || loan.reductions.length > 0;
          const highest = (loan.isInRepayment ? sumOf(loan.payments) : signedCents) + (mayRound ? mostRoundingCents(loan) : 0);
          expect(sumOf(schedule.payments)).toBeLessThanOrEqual(highest);
        }),
        campaign(500),
      );
    },
    campaignTimeoutMs,
  );

  it(
    'cost at most the cap, from the first day of the loan',
    () => {
      const counts = { used: 0, above: 0 };
      fc.assert(
        fc.property(history, nearby, (loan, { factor, months, capBps: aboveBps }) => {
          if (loan.payments.length === 0) return;
          const capBps = Math.round(loan.disclosure.apr * 10_000) + aboveBps;
          const capped = withCaps(loan, { aprBps: capBps, maprBps: null });
          const schedule = { payments: monthsLater({ ...loan, payments: scaled(loan, factor) }, months), reason } as const;
          const rule = faultOfSchedule(schedule, capped)?.rule;
          const isOwn = schedule.payments.every(
            ({ dueOn, amountCents }, index) =>
              dueOn >= loan.payments[index]!.dueOn && amountCents <= loan.payments[index]!.amountCents,
          );
          if (isOwn || (rule !== undefined && rule !== 'apr')) return;
          counts[rule ? 'above' : 'used']++;
          const leftCents = leftAt(capBps, loan, schedule, loan.isInRepayment ? loan.on : '0000-01-01');
          // The account is charged after each month, so that its rounding errors grow with the amount.
          if (rule === 'apr') expect(leftCents).toBeLessThan(0.01);
          else expect(leftCents).toBeGreaterThan(-0.01);
        }),
        campaign(500),
      );
      expect(counts.used).toBeGreaterThan(20);
      expect(counts.above).toBeGreaterThan(20);
    },
    campaignTimeoutMs,
  );
});
