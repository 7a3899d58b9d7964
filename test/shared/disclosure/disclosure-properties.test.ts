import { beforeAll, describe, expect, it } from 'vitest';
import { type FirstPeriod, monthlyApr } from '../../../shared/apr.ts';
import { discloseLoan } from '../../../shared/disclosure/disclose-loan.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { plansFor } from '../../../shared/plans.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { seededRandom } from '../../support/random.ts';
import { randomDate, randomProgram } from './random-programs.ts';

/** Returns the disclosures of every plan of random programs on random dates. */
function randomDisclosures(seed: number, programs: number): LoanDisclosure[] {
  const random = seededRandom(seed);
  return Array.from({ length: programs }, () => {
    const program = randomProgram(random);
    const date = randomDate(random);
    const plans = plansFor(rateSheet(program), random.magnitude(5_000, 3_000_000), date);
    return plans.map((plan) => discloseLoan(program, plan, { date }));
  }).flat();
}

describe('The disclosure of every plan of 400 random programs', () => {
  let disclosures: LoanDisclosure[];
  beforeAll(() => {
    disclosures = randomDisclosures(91, 400);
  });

  it('satisfies every identity, which `discloseLoan` requires, and the loans are of every kind', () => {
    const kinds: [string, (disclosure: LoanDisclosure) => boolean][] = [
      ['financed fees in the finance charge', ({ fees }) => fees.some((fee) => fee.financed && fee.financeCharge)],
      ['financed fees outside the finance charge', ({ fees }) => fees.some((fee) => fee.financed && !fee.financeCharge)],
      ['fees due today in the finance charge', ({ fees }) => fees.some((fee) => !fee.financed && fee.financeCharge)],
      ['fees due today outside the finance charge', ({ fees }) => fees.some((fee) => !fee.financed && !fee.financeCharge)],
      ['charges that only the military APR counts', ({ fees }) => fees.some((fee) => fee.mapr && !fee.financeCharge)],
      ['down payments', ({ downPaymentCents }) => downPaymentCents > 0],
      ['no finance charge', ({ financeChargeCents }) => financeChargeCents === 0],
      ['single payments', ({ payments }) => payments.length === 1],
      ['odd first periods', ({ firstPeriod }) => firstPeriod.months > 1 || firstPeriod.days > 0],
      [
        'first periods counted as a month',
        (disclosure) => disclosure.firstPaymentAfter.days > 0 && disclosure.firstPeriod.days === 0,
      ],
      [
        'interest for odd days',
        (disclosure) => disclosure.paymentRows[0]!.paymentCents > (disclosure.paymentRows[1]?.paymentCents ?? Infinity),
      ],
      ['payments on the last day of February', ({ payments }) => payments.some(({ dueOn }) => /-02-2[89]$/.test(dueOn))],
      ['leap days', ({ payments }) => payments.some(({ dueOn }) => dueOn.endsWith('-02-29'))],
    ];

    expect(disclosures.length).toBeGreaterThan(3_000);
    expect(kinds.filter(([, isOfKind]) => disclosures.filter(isOfKind).length < 20).map(([kind]) => kind)).toEqual([]);
  });

  it('states the note rate if interest is the only cost, otherwise the calculated APR within half a basis point', () => {
    const wrong = disclosures.filter((disclosure) => {
      const { apr, noteRateBps } = disclosure;
      return isPlain(disclosure)
        ? apr !== noteRateBps / 10_000
        : !(Math.abs(apr - Math.max(minApr(disclosure), exactApr(disclosure))) < 0.000_050_1);
    });

    expect(wrong).toEqual([]);
  });
});

/** Returns true if interest is the only cost, and interest accrues for the counted length of the first period. */
function isPlain({ prepaidFinanceChargeCents, firstPaymentAfter, firstPeriod, oddDaysInterest }: LoanDisclosure): boolean {
  const isMonth = ({ months, days }: FirstPeriod) => months === 1 && days === 0;
  return prepaidFinanceChargeCents === 0 && isMonth(firstPeriod) && (isMonth(firstPaymentAfter) || oddDaysInterest === 'none');
}

function exactApr({ amountFinancedCents, payments, firstPeriod }: LoanDisclosure): number {
  const paymentsCents = payments.map(({ paymentCents }) => paymentCents);
  return monthlyApr(amountFinancedCents, paymentsCents, firstPeriod);
}

/** Returns the lowest APR that the loan may state: more than 0 % if it has a finance charge. */
function minApr({ financeChargeCents }: LoanDisclosure): number {
  return financeChargeCents > 0 ? 0.0001 : 0;
}
