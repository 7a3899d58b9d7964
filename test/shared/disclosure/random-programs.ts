import { addDays, type CivilDate } from '../../../shared/dates.ts';
import { findInconsistencies } from '../../../shared/programs/consistency.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { createFee, createUncheckedProgram } from '../../support/programs.ts';
import { seededRandom, type SeededRandom } from '../../support/random.ts';

/**
 * Returns a random program, with fees, down payments, odd first periods and rounding modes. Its fees may be of the kinds that an import
 * rejects.
 */
export function randomProgram(random: SeededRandom): Program {
  const chance = (probability: number) => random.fraction() < probability;
  const pick = <T>(...choices: T[]): T => choices[random.integer(0, choices.length - 1)]!;
  const firstPaymentAfter = chance(0.5)
    ? { months: 1, days: 0 }
    : { months: random.integer(1, 6), days: pick(0, 1, random.integer(0, 27), 27) };
  const isOdd = firstPaymentAfter.months > 1 || firstPaymentAfter.days > 0;
  const fees = Array.from({ length: random.integer(0, 3) }, (_, index) => {
    const financeCharge = chance(0.5);
    return createFee({
      id: `fee-${index}`,
      kind: pick('origination', 'application', 'participation', 'service'),
      amountBps: pick(0, random.integer(1, 500)),
      flatCents: pick(0, random.integer(1, 2_000)),
      maxCents: pick(null, 5_000),
      financeCharge,
      financed: chance(0.5),
      mapr: financeCharge || chance(0.5),
    });
  });
  // One or two payments are not allowed after an odd first period: see `consistency.ts`.
  const terms = [...new Set([isOdd ? 3 : 1, isOdd ? 4 : 2, 12, random.integer(3, 120)])];
  return createUncheckedProgram({
    amount: { minCents: 5_000, maxCents: 3_000_000, mayHaveGaps: true },
    downPayment: pick({}, { percentBps: random.integer(1, 5_000) }, { minCents: random.integer(1, 3_000), percentBps: 1_000 }),
    rounding: { payment: pick('half-up', 'ceil') },
    schedule: {
      firstPaymentAfter,
      oddDaysInterest: pick('none', '360', '365'),
      firstPeriodPolicy: pick('exact', 'minorIrregularity'),
    },
    fees,
    offers: terms.map((termLength) => ({
      id: `offer-${termLength}`,
      termLength,
      tierAprBps: { A: 0, B: random.integer(1, 2_000), C: random.integer(2_000, 3_599) },
    })),
    caps: { maxAprBps: 9_999, maprCapBps: pick(null, 3_600, random.integer(1_000, 3_599)) },
    late: pick(
      {},
      { flatCents: 1_500 },
      { percentBps: 500, graceDays: 15 },
      { flatCents: 1_500, percentBps: 500, combine: 'lesser' },
    ),
  });
}

/** Returns a random program that can be imported. */
export function importableProgram(seed: number): Program {
  const program = randomProgram(seededRandom(seed));
  const fees = program.fees.map((fee) => ({ ...fee, financeCharge: true, financed: true, mapr: true }));
  const changed = { ...program, id: `random-${seed}`, fees };
  return findInconsistencies(changed).length === 0 ? changed : importableProgram(seed + 1);
}

/** Returns a random date. Half of them are near month ends and in February of leap years. */
export function randomDate(random: SeededRandom): CivilDate {
  const special: CivilDate[] = [
    '2026-01-31',
    '2027-02-28',
    '2028-02-29',
    '2028-01-29',
    '2027-01-30',
    '2026-12-31',
    '2032-02-01',
    '2027-02-01',
  ];
  const specialDate = special[random.integer(0, 2 * special.length - 1)];
  return specialDate ? addDays(specialDate, random.integer(-2, 2)) : addDays('2026-01-01', random.integer(0, 3_000));
}
