import { beforeAll, describe, expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { type FirstPeriod, monthlyApr } from '../../../shared/apr/monthly.ts';
import { boxOf } from '../../../shared/disclosure/box.ts';
import { dueDay } from '../../../shared/dates.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import { plansFor } from '../../../shared/plans.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { seededRandom } from '../../support/random.ts';
import { randomDate, randomProgram } from './random-programs.ts';

/** Returns the disclosures of every plan of random programs on random dates. */
function randomBoxes(seed: number, programs: number): TilaBox[] {
  const random = seededRandom(seed);
  return Array.from({ length: programs }, () => {
    const program = randomProgram(random);
    const date = randomDate(random);
    const plans = plansFor(rateSheet(program), random.magnitude(5_000, 3_000_000), date);
    return plans.map((plan) => boxOf(program, plan, { date }));
  }).flat();
}

describe('The disclosure of every plan of 400 random programs', () => {
  let boxes: TilaBox[];
  beforeAll(() => {
    boxes = randomBoxes(91, 400);
  });

  it('satisfies every identity, which `boxOf` requires, and the loans are of every kind', () => {
    const kinds: [string, (box: TilaBox) => boolean][] = [
      ['financed fees in the finance charge', ({ fees }) => fees.some((fee) => fee.financed && fee.financeCharge)],
      ['financed fees outside the finance charge', ({ fees }) => fees.some((fee) => fee.financed && !fee.financeCharge)],
      ['fees due today in the finance charge', ({ fees }) => fees.some((fee) => !fee.financed && fee.financeCharge)],
      ['fees due today outside the finance charge', ({ fees }) => fees.some((fee) => !fee.financed && !fee.financeCharge)],
      ['charges that only the military APR counts', ({ fees }) => fees.some((fee) => fee.mapr && !fee.financeCharge)],
      ['down payments', ({ downPaymentCents }) => downPaymentCents > 0],
      ['no finance charge', ({ financeChargeCents }) => financeChargeCents === 0],
      ['single payments', ({ payments }) => payments.length === 1],
      ['odd first periods', ({ firstPeriod }) => firstPeriod.months > 1 || firstPeriod.days > 0],
      ['first periods counted as a month', (box) => box.firstPaymentAfter.days > 0 && box.firstPeriod.days === 0],
      ['interest for odd days', (box) => box.paymentRows[0]!.paymentCents > (box.paymentRows[1]?.paymentCents ?? Infinity)],
      ['payments on the last day of February', ({ payments }) => payments.some(({ dueOn }) => /-02-2[89]$/.test(dueOn))],
      ['leap days', ({ payments }) => payments.some(({ dueOn }) => dueOn.endsWith('-02-29'))],
    ];

    expect(boxes.length).toBeGreaterThan(3_000);
    expect(kinds.filter(([, isOfKind]) => boxes.filter(isOfKind).length < 20).map(([kind]) => kind)).toEqual([]);
  });

  it('has the same APR calculated with calendar dates as with equal months', () => {
    const differing = boxes
      .filter(({ payments }) => payments.length > 1)
      .filter((box) => {
        const { date, amountFinancedCents, payments, firstPaymentAfter } = box;
        const aprOfDates = actuarialApr({
          advances: [{ date, cents: amountFinancedCents }],
          payments: payments.map(({ dueOn, paymentCents }) => ({ date: dueOn, cents: paymentCents })),
          dueDay: dueDay(date, firstPaymentAfter),
        });
        return !(Math.abs(aprOfDates - exactApr({ ...box, firstPeriod: firstPaymentAfter })) < 1e-12);
      });

    expect(differing).toEqual([]);
  });

  it('states the note rate if interest is the only cost, otherwise the calculated APR within half a basis point', () => {
    const wrong = boxes.filter((box) => {
      const { apr, noteRateBps } = box;
      return isPlain(box) ? apr !== noteRateBps / 10_000 : !(Math.abs(apr - Math.max(minApr(box), exactApr(box))) < 0.000_050_1);
    });

    expect(wrong).toEqual([]);
  });
});

/** Returns true if interest is the only cost, and interest accrues for the counted length of the first period. */
function isPlain({ prepaidFinanceChargeCents, firstPaymentAfter, firstPeriod, oddDaysInterest }: TilaBox): boolean {
  const isMonth = ({ months, days }: FirstPeriod) => months === 1 && days === 0;
  return prepaidFinanceChargeCents === 0 && isMonth(firstPeriod) && (isMonth(firstPaymentAfter) || oddDaysInterest === 'none');
}

function exactApr({ amountFinancedCents, payments, firstPeriod }: TilaBox): number {
  const paymentsCents = payments.map(({ paymentCents }) => paymentCents);
  return monthlyApr(amountFinancedCents, paymentsCents, firstPeriod);
}

/** Returns the lowest APR that the loan may state: more than 0 % if it has a finance charge. */
function minApr({ financeChargeCents }: TilaBox): number {
  return financeChargeCents > 0 ? 0.0001 : 0;
}
