import { describe, expect, it } from 'vitest';
import { type Lint, lintAdvertisement } from '../../../shared/advertising/lint.ts';
import { type FirstPeriod, monthlyApr, REGULAR } from '../../../shared/apr/monthly.ts';
import { formatApr } from '../../../shared/disclosure/figures.ts';
import { languages } from '../../../shared/disclosure/languages.ts';
import { formatMinorUnits } from '../../../shared/money.ts';
import type { Plan } from '../../../shared/plan.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { paymentsOf } from '../../../shared/repayment.ts';
import { samples, type SeededRandom, seededRandom } from '../../support/random.ts';
import { type MadeUpExample, madeUpExample } from './made-up-examples.ts';

const texts = samples(300, 81, madeUpExample);
const lint = (text: string, { language, sheet }: MadeUpExample): Lint =>
  lintAdvertisement(text, { language, currency: sheet.currency.code });

describe('our own texts', () => {
  it('are of every kind', () => {
    const kinds: [string, (one: MadeUpExample) => unknown][] = [
      ['English', ({ language }) => language === 'en'],
      ['Spanish', ({ language }) => language === 'es'],
      ['no example', ({ plan }) => !plan],
      ['a down payment', ({ plan }) => plan?.financing.downPaymentCents],
      ['several fees', ({ plan }) => (plan?.financing.fees.length ?? 0) > 1],
      ['no finance charge', ({ plan }) => plan?.financeChargeCents === 0],
      ['a first payment that differs', ({ plan }) => plan && plan.schedule.firstPaymentCents !== plan.schedule.levelPaymentCents],
      ['a single payment', ({ plan }) => plan?.termLength === 1],
      ['an odd first period', ({ program }) => oddFirstPeriod(program)],
      [
        'an odd first period that counts as a month',
        ({ program, plan }) => oddFirstPeriod(program)?.days && plan?.firstPeriod.days === 0,
      ],
      ['a promotion', ({ plan }) => plan?.offerId === 'promo'],
      ['rounding up', ({ sheet }) => sheet.paymentRounding === 'ceil'],
      ['yen', ({ sheet }) => sheet.currency.digits === 0],
      ['dinars', ({ sheet }) => sheet.currency.digits === 3],
    ];

    expect(kinds.filter(([, is]) => !texts.some(is)).map(([kind]) => kind)).toEqual([]);
  });

  it('have nothing to be found', () => {
    const found = texts.flatMap((one) => lint(one.text, one).findings.map((finding) => ({ text: one.text, ...finding })));

    expect(found).toEqual([]);
  });

  it('are read as the plan they are about', () => {
    for (const one of texts) {
      const { plan, program, text } = one;
      const { examples } = lint(text, one);
      const payments = examples.map((example) =>
        example.payments.flatMap(({ count, cents }) => Array.from({ length: count }, () => cents)),
      );

      expect({ text, examples }).toMatchObject({ text, examples: plan ? [readingOf(plan, program)] : [] });
      expect({ text, payments }).toEqual({ text, payments: plan ? [paymentsOf(plan.schedule)] : [] });
    }
  });
});

function readingOf({ financing, schedule, ...plan }: Plan, program: Program) {
  return {
    purchaseCents: financing.purchaseCents,
    downPaymentCents: financing.downPaymentCents || undefined,
    fees: financing.fees.map(({ cents, financed, financeCharge }) => ({ cents, lent: financed, financeCharge })),
    count: plan.termLength,
    months: plan.termLength,
    aprPercent: Number((plan.aprBps / 100).toFixed(2)),
    totalCents: schedule.totalOfPaymentsCents,
    firstPeriod: oddFirstPeriod(program),
    follows: {
      amountFinancedCents: financing.amountFinancedCents,
      totalOfPaymentsCents: schedule.totalOfPaymentsCents,
      financeChargeCents: plan.financeChargeCents,
    },
  };
}

type Figures = 'amount' | 'down payment' | 'term' | 'count' | 'payment' | 'first payment' | 'last payment' | 'total' | 'APR';

/** Where each figure of an example stands: before it, the figure, behind it. */
const PLACES: Record<'en' | 'es', Record<Figures, RegExp>> = {
  en: {
    amount: /^(Example: a )(.+?)( purchase)/,
    'down payment': /( with a down payment of )(.+?)( over )/,
    term: /( over )(\d+)( months? at )/,
    count: /((?:takes|,) )(\d+)( monthly payments? of )/,
    payment: /( monthly payments? of )(\D*[\d,.]*\d)(,| and )/,
    'first payment': /(a first payment of )(\D*[\d,.]*\d)(,| and )/,
    'last payment': /(a last payment of )(\D*[\d,.]*\d)(,)/,
    total: /(, )(\D*[\d,.]*\d)( in total\.)/,
    APR: /( at )([\d.]+%)( APR, fixed)/,
  },
  es: {
    amount: /^(Ejemplo: una compra de )(.+?)( con un pago| a \d)/,
    'down payment': /( con un pago inicial de )(.+?)( a )/,
    term: /( a )(\d+)( mes(?:es)? con )/,
    count: /((?:requiere|,) )(\d+)( pagos? mensual(?:es)? de )/,
    payment: /( pagos? mensual(?:es)? de )(\D*[\d,.]*\d)(,| y )/,
    'first payment': /(un primer pago de )(\D*[\d,.]*\d)(,| y )/,
    'last payment': /(un último pago de )(\D*[\d,.]*\d)(,)/,
    total: /(, )(\D*[\d,.]*\d)( en total\.)/,
    APR: /( fija de )([\d.]+%)( APR)/,
  },
};

describe('our own texts with one figure changed', () => {
  const random = seededRandom(82);
  const changed = texts.flatMap((one) => {
    const { plan, sheet, language } = one;
    if (!plan) return [];
    const { financing, schedule } = plan;
    const money = (cents: number) => formatMinorUnits(cents, sheet.currency, languages[language].locale);
    const cents = (value: number) => () => money(otherThan(value, random));
    const count = (value: number) => () => `${otherThan(value, random)}`;
    // What a printed amount may differ by before anyone could tell, an eighth of a point, is more than a cent.
    const unlike = (value: number, lends: 1 | -1) => () =>
      tries(
        () => otherThan(value, random),
        (other) => aprDistance(one, (other - value) * lends) > 0.00126,
        money,
      );
    const apr = () =>
      tries(
        () => Math.max(1, plan.aprBps + random.integer(-100, 100)),
        (bps) => aprDistance(one, 0, bps) > 0.00126,
        (bps) => formatApr(bps / 10_000),
      );
    const figures: [Figures, () => string | undefined][] = [
      ['amount', unlike(financing.purchaseCents, 1)],
      ['down payment', unlike(financing.downPaymentCents, -1)],
      ['term', count(plan.termLength)],
      ['count', count(plan.termLength)],
      ['payment', cents(schedule.levelPaymentCents)],
      ['first payment', cents(schedule.firstPaymentCents)],
      ['last payment', cents(schedule.lastPaymentCents)],
      ['total', cents(schedule.totalOfPaymentsCents)],
      ['APR', apr],
    ];
    return figures.flatMap(([figure, make]) => {
      const place = PLACES[language][figure];
      const printed = place.exec(one.text)?.[2];
      const other = printed && make();
      if (!other || other === printed) return [];
      return [{ figure, one, text: one.text.replace(place, (_, before, _was, behind) => `${before}${other}${behind}`) }];
    });
  });

  it.each(Object.keys(PLACES.en) as Figures[])('are caught: %s', (figure) => {
    const cases = changed.filter((one) => one.figure === figure);
    const missed = cases.filter(({ text, one }) => lint(text, one).findings.length === 0);

    expect(missed.map(({ text }) => text)).toEqual([]);
    expect(cases.length).toBeGreaterThan(20);
    expect(cases.every(({ text, one }) => text !== one.text)).toBe(true);
  });
});

/** When the first payment is due, unless that is after a month. */
function oddFirstPeriod({ schedule: { firstPaymentAfter } }: Program): FirstPeriod | undefined {
  return firstPaymentAfter.months > 1 || firstPaymentAfter.days > 0 ? firstPaymentAfter : undefined;
}

/** Another number, a little or a lot away. */
function otherThan(value: number, random: SeededRandom): number {
  const by = random.magnitude(1, Math.max(1, value));
  return value > by && random.fraction() < 0.5 ? value - by : value + by;
}

/** The first of ten that holds, as it is written. */
function tries(make: () => number, holds: (made: number) => boolean, write: (made: number) => string): string | undefined {
  const made = Array.from({ length: 10 }, make).find(holds);
  return made === undefined ? undefined : write(made);
}

/** How far a rate is from what the payments make it, were `moreCents` more lent; a late first payment may count or not. */
function aprDistance({ plan, program }: MadeUpExample, moreCents: number, aprBps = plan!.aprBps): number {
  const lentCents = plan!.financing.amountFinancedCents + moreCents;
  const distances = [program.schedule.firstPaymentAfter, REGULAR].map((first) => {
    try {
      return Math.abs(aprBps / 10_000 - monthlyApr(lentCents, paymentsOf(plan!.schedule), first));
    } catch {
      // The payments do not repay so much.
      return 1;
    }
  });
  return Math.min(...distances);
}
