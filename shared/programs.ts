import { array, boolean, type Infer, integer, max, min, nullable, object, record, refine, size, string } from 'superstruct';
import { amortize } from './amortization.ts';
import { MAX_CENTS } from './money.ts';

const AmountCents = max(min(integer(), 1), MAX_CENTS);
const CreditScore = max(min(integer(), 300), 850);

/** A class of buyers, by credit score. `advertise` lets its rates stand in an "as low as" example. */
export const Tier = object({
  id: size(string(), 1, 40),
  label: size(string(), 1, 80),
  creditBand: object({ min: CreditScore, max: CreditScore }),
  advertise: boolean(),
});
export type Tier = Infer<typeof Tier>;

/**
 * A number of monthly payments, and what it costs each tier in basis points (999 is 9.99 %).
 *
 * A tier that is missing from `tierAprBps` is not sold this term. `minCents` and `maxCents` bound the amount financed;
 * null means the program's own bound.
 */
export const ProgramOffer = object({
  id: size(string(), 1, 40),
  termLength: max(min(integer(), 1), 120),
  tierAprBps: record(string(), max(min(integer(), 0), 3_599)),
  minCents: nullable(AmountCents),
  maxCents: nullable(AmountCents),
});
export type ProgramOffer = Infer<typeof ProgramOffer>;

const ProgramFields = object({
  id: size(string(), 1, 64),
  name: size(string(), 1, 80),
  version: min(integer(), 1),
  lender: object({ name: size(string(), 1, 120) }),
  amount: object({ minCents: AmountCents, maxCents: AmountCents }),
  tiers: size(array(Tier), 1, 20),
  offers: size(array(ProgramOffer), 1, 60),
});
type ProgramFields = Infer<typeof ProgramFields>;

/**
 * A financing program: who lends, to whom, for how long and at which rates. Loans are repaid monthly, without fees.
 *
 * `id` is what a merchant sends as `financingProgramId`. An accepted application keeps the `version` it was made under.
 */
export const Program = refine(ProgramFields, 'program', (program) => incoherence(program) ?? true);
export type Program = Infer<typeof Program>;

/** What a page needs to quote on its own: every program of one merchant, and which of them is the default. */
export interface ProgramDocument {
  defaultProgramId: string;
  programs: Program[];
}

/** What is wrong with a program whose fields are each as they should be: something could not be quoted or chosen from. */
function incoherence({ amount, tiers, offers }: ProgramFields): string | undefined {
  if (amount.minCents > amount.maxCents) return 'Expected `amount.minCents` to be at most `amount.maxCents`';
  const tierIds = tiers.map(({ id }) => id);
  const twice = repeated(tierIds) ?? repeated(offers.map(({ id }) => id));
  if (twice !== undefined) return `Expected every id of a tier and of an offer once, but received "${twice}" twice`;
  const band = tiers.find(({ creditBand }) => creditBand.min > creditBand.max);
  if (band) return `Expected the credit band of tier "${band.id}" to begin below its end`;

  for (const { id, tierAprBps, minCents, maxCents, termLength } of offers) {
    const least = minCents ?? amount.minCents;
    if (least > (maxCents ?? amount.maxCents)) return `Expected \`minCents\` of offer "${id}" to be at most its \`maxCents\``;
    if (Object.keys(tierAprBps).length === 0) return `Expected offer "${id}" to be sold to a tier, but received no rate`;
    for (const [tierId, aprBps] of Object.entries(tierAprBps)) {
      if (!tierIds.includes(tierId))
        return `Expected every key of \`tierAprBps\` to be the id of a tier, but received "${tierId}"`;
      if (!isRepaid(Math.max(least, amount.minCents), aprBps, termLength)) {
        return `Expected offer "${id}" to be repaid by whole cents in ${termLength} payments, but ${least} cents are too few`;
      }
    }
  }
  return undefined;
}

function isRepaid(amountCents: number, aprBps: number, months: number): boolean {
  try {
    return amortize(amountCents, aprBps, months).installments.length === months;
  } catch {
    return false;
  }
}

function repeated(ids: readonly string[]): string | undefined {
  return ids.find((id, index) => ids.indexOf(id) !== index);
}
