import { array, boolean, type Infer, integer, max, min, nullable, object, record, refine, size, string } from 'superstruct';
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

/**
 * A financing program: who lends, to whom, for how long and at which rates. Loans are repaid monthly, without fees.
 *
 * `id` is what a merchant sends as `financingProgramId`. An accepted application keeps the `version` it was made under.
 */
export const Program = refine(
  object({
    id: size(string(), 1, 64),
    name: size(string(), 1, 80),
    version: min(integer(), 1),
    lender: object({ name: size(string(), 1, 120) }),
    amount: object({ minCents: AmountCents, maxCents: AmountCents }),
    tiers: size(array(Tier), 1, 20),
    offers: size(array(ProgramOffer), 1, 60),
  }),
  'program',
  ({ amount, tiers, offers }) => {
    if (amount.minCents > amount.maxCents) return 'Expected `amount.minCents` to be at most `amount.maxCents`';
    const known = new Set(tiers.map(({ id }) => id));
    const stray = offers.flatMap(({ tierAprBps }) => Object.keys(tierAprBps)).find((tier) => !known.has(tier));
    return stray === undefined || `Expected every key of \`tierAprBps\` to be the id of a tier, but received "${stray}"`;
  },
);
export type Program = Infer<typeof Program>;

/** What a page needs to quote on its own: every program of one merchant, and which of them is the default. */
export interface ProgramDocument {
  defaultProgramId: string;
  programs: Program[];
}
