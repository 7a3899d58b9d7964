import { array, type Infer, integer, literal, max, min, object, optional, refine, size, union } from 'superstruct';
import { CreditBureau } from '../../shared/programs/program.ts';
import { CalendarDate, line } from '../../shared/wire/fields.ts';

/**
 * A credit score that was used in a decision, with the facts about it that the buyer must receive: 15 USC 1681g(f)(1), 1681m(a)(2).
 *
 * `factors` are the key factors that adversely affected the score, in the language of the request: at most four, and a fifth if one of
 * them is the number of inquiries. `bureau` provided the score, or the file it was created from.
 */
export const CreditScore = refine(
  object({
    value: integer(),
    /** Range of possible scores under the model. */
    min: integer(),
    max: integer(),
    /** The day on which the score was created. */
    date: CalendarDate,
    factors: size(array(line(200, 1)), 1, 5),
    bureau: CreditBureau,
    /** Share of US consumers with a lower score, for the comparison in the credit score disclosure: 12 CFR 1022.74(e)(1)(ii)(F). */
    ranksAbovePercent: optional(max(min(integer(), 0), 100)),
  }),
  'score within its range',
  ({ value, min: least, max: most }) => least <= value && value <= most,
);
export type CreditScore = Infer<typeof CreditScore>;

/** The bureau has no score of the buyer: 12 CFR 1022.74(f). */
const UnavailableScore = object({ value: literal(null), bureau: CreditBureau });

/** The result of a request for a credit score. */
export const ScoreResult = union([CreditScore, UnavailableScore]);
export type ScoreResult = Infer<typeof ScoreResult>;

export function isCreditScore(score: ScoreResult | null): score is CreditScore {
  return score !== null && score.value !== null;
}
