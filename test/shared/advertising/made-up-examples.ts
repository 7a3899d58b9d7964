import { asLowAs } from '../../../shared/as-low-as.ts';
import { languages } from '../../../shared/disclosure/languages.ts';
import type { Language } from '../../../shared/disclosure/texts.ts';
import type { Plan } from '../../../shared/plan.ts';
import { isAdvertised, plansFor } from '../../../shared/plans.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { type RateSheet, rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { givenFee, givenProgram, TODAY } from '../../support/programs.ts';
import type { SeededRandom } from '../../support/random.ts';

/** A text of ours, and the plan that is its example; none where no offer covers the amount. */
export interface MadeUpExample {
  text: string;
  language: Language;
  program: Program;
  sheet: RateSheet;
  plan: Plan | undefined;
}

/** What our own texts say of a made-up program and amount. */
export function madeUpExample(random: SeededRandom): MadeUpExample {
  const program = madeUpProgram(random);
  const sheet = rateSheet(program);
  const purchaseCents = random.magnitude(4_000, 3_200_000);
  const language = random.fraction() < 0.5 ? 'en' : 'es';
  const { asLowAsText: text } = asLowAs(sheet, purchaseCents, TODAY, languages[language]);
  const plan = plansFor(sheet, purchaseCents, TODAY).find((one) => isAdvertised(sheet, one));
  return { text, language, program, sheet, plan };
}

/** A program with everything that may stand in its text: fees, a down payment, an odd first period, a promotion, states. */
function madeUpProgram(random: SeededRandom): Program {
  const chance = (part: number) => random.fraction() < part;
  const pick = <T>(...choices: T[]): T => choices[random.integer(0, choices.length - 1)]!;
  const hasPromo = chance(0.2);
  const kinds = ['origination', 'application', 'participation', 'service'] as const;
  const fees = kinds
    .filter(() => chance(0.25))
    .map((kind) => {
      const financeCharge = !hasPromo && chance(0.5);
      const flatCents = pick(0, random.integer(1, 2_000));
      const amountBps = pick(0, random.integer(1, 300));
      return givenFee({
        id: kind,
        kind,
        amountBps,
        flatCents,
        maxCents: pick(null, 5_000),
        financeCharge,
        financed: chance(0.5),
      });
    });
  const rateBps = pick(0, random.integer(1, 3_000), random.integer(1, 3_000));
  const isOdd = chance(0.4);
  const firstPaymentAfter = isOdd ? { months: pick(1, 1, random.integer(2, 6)), days: random.integer(1, 27) } : {};
  const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02' };
  return givenProgram({
    currency: pick('USD', 'USD', 'USD', 'EUR', 'MXN', 'CAD', 'JPY', 'KWD'),
    amount: { minCents: 5_000, maxCents: 3_000_000, mayHaveGaps: true },
    downPayment: pick(
      {},
      {},
      { percentBps: random.integer(1, 5_000) },
      { minCents: random.integer(1, 3_000), percentBps: 1_000 },
    ),
    rounding: { payment: pick('half-up', 'ceil') },
    schedule: {
      firstPaymentAfter,
      oddDaysInterest: pick('none', '360', '365'),
      firstPeriodPolicy: pick('exact', 'minorIrregularity'),
    },
    fees,
    tiers: [{ id: 'A', creditBand: { min: 300, max: 850 }, advertise: true }],
    offers: [
      {
        id: 'one',
        termLength: isOdd ? pick(3, 6, 12, random.integer(4, 119)) : pick(1, 2, 12, random.integer(4, 119)),
        tierAprBps: { A: rateBps },
      },
      { id: 'other', termLength: 120, minCents: 1_000_000, tierAprBps: { A: 1_999 } },
      ...(hasPromo ? [{ id: 'promo', termLength: pick(3, 6, 18), tierAprBps: { A: 0 }, promo }] : []),
    ],
    states: {
      excluded: pick([], ['IA', 'WV'], ['NY']),
      notices: pick(
        {},
        { CA: { en: 'Loans are made under California licence 603-1234.', es: 'Préstamos bajo la licencia 603-1234.' } },
      ),
    },
    caps: { maxAprBps: 9_999, maprCapBps: null },
  });
}
