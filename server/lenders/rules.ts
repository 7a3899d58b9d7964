import type { CivilDate } from '../../shared/dates.ts';
import { computeFinancing } from '../../shared/financing.ts';
import { computePlan } from '../../shared/plan.ts';
import { plansFor } from '../../shared/plans.ts';
import { boundsOf } from '../../shared/programs/consistency.ts';
import type { Program } from '../../shared/programs/program.ts';
import { type RateSheet, type RateSheetOffer, rateSheet } from '../../shared/programs/rate-sheet.ts';
import type { CreditFileFinding } from './credit-file.ts';
import type { CreditDecision, CreditRequest } from './lender.ts';

/** What is decided about, as far as rules look at it. */
export type Question = Pick<CreditRequest, 'program' | 'amountCents'> & {
  contact: Pick<CreditRequest['contact'], 'state'>;
  applicant: Pick<CreditRequest['applicant'], 'annualIncomeCents'>;
};

/** How much of their income before taxes buyers may promise, in percent, and the day whose prices apply. */
export interface Terms {
  maxPaymentToIncomePercent: number;
  on: CivilDate;
}

/**
 * Decides by the tiers' bands of credit scores and by what the buyer can pay.
 *
 * One of the tier's plans must fit the buyer's income. When none does, they are approved for the most for which one would.
 */
export function decide(question: Question, finding: CreditFileFinding, terms: Terms): CreditDecision {
  return finding.found === 'score' ? byScore(question, finding.score, terms) : WITHOUT_SCORE[finding.found];
}

const WITHOUT_SCORE: Record<Exclude<CreditFileFinding['found'], 'score'>, CreditDecision> = {
  frozen: { outcome: 'needs-action', action: 'unfreeze-credit-file' },
  'no-file': { outcome: 'denied', reasons: ['identity'] },
  'no-score': { outcome: 'denied', reasons: ['credit-history'] },
};

function byScore({ program, amountCents, contact, applicant }: Question, score: number, terms: Terms): CreditDecision {
  const tierId = tierOf(program, score);
  if (tierId === undefined) return { outcome: 'denied', reasons: ['credit-history'] };
  const sheet = rateSheet(program, contact.state);
  const lent = { sheet, tierId, on: terms.on };
  const monthlyCents = Math.floor((applicant.annualIncomeCents * terms.maxPaymentToIncomePercent) / 1_200);
  const limitCents = mostThatFits(lent, amountCents, monthlyCents);
  if (limitCents === amountCents) return { outcome: 'approved', tierId, limitCents: null };
  if (limitCents !== undefined) return { outcome: 'approved', tierId, limitCents };
  const isSold = mostThatFits(lent, amountCents, Infinity) !== undefined;
  return isSold ? { outcome: 'denied', reasons: ['income'] } : { outcome: 'ineligible' };
}

/**
 * The tier of a credit score: the best whose band begins at or below it. Between two bands, and above the last one, a better
 * score never makes a worse tier.
 *
 * @returns undefined below every band.
 */
export function tierOf({ tiers }: Pick<Program, 'tiers'>, score: number): string | undefined {
  const reached = tiers.filter(({ creditBand }) => creditBand.min <= score);
  return reached.toSorted((a, b) => b.creditBand.min - a.creditBand.min)[0]?.id;
}

/** What is sold to one tier on a day. */
interface Lent {
  sheet: RateSheet;
  tierId: string;
  on: CivilDate;
}

const DOLLAR = 100;

/** Amounts that are not sold because whole cents would miss the rate are few, and never far from one that is. */
const FARTHEST = 50 * DOLLAR;

/**
 * The most, up to `amountCents`, for which a plan is sold that takes at most `monthlyCents` a month: the amount itself, the most an
 * offer is for, or whole dollars; undefined when there is no such amount.
 */
export function mostThatFits({ sheet, tierId, on }: Lent, amountCents: number, monthlyCents: number): number | undefined {
  const amounts = sheet.offers.flatMap((offer) => {
    const { minCents, maxCents } = boundsOf(offer, sheet.amount);
    const rateBps = offer.tierAprBps[tierId];
    if (rateBps === undefined || minCents > amountCents) return [];
    const fits = (cents: number) => paymentCents(sheet, offer, tierId, rateBps, cents) <= monthlyCents;
    const isSold = (cents: number) =>
      fits(cents) && plansFor(sheet, cents, on).some((plan) => plan.offerId === offer.id && plan.tierId === tierId);

    const most = largestOf(minCents, Math.min(maxCents, amountCents), fits);
    for (let cents = most; cents >= Math.max(minCents, most - FARTHEST); cents = dollarsBelow(cents)) {
      if (isSold(cents)) return [cents];
    }
    return [];
  });
  return amounts.length > 0 ? Math.max(...amounts) : undefined;
}

/** The largest that fits of `to` and the whole dollars below it, by halving: a larger loan never has a smaller payment. */
function largestOf(from: number, to: number, fits: (cents: number) => boolean): number {
  if (fits(to)) return to;
  let [fitting, tooMuch] = [dollarsBelow(from), Math.ceil(to / DOLLAR) * DOLLAR];
  while (tooMuch - fitting > DOLLAR) {
    const middle = fitting + Math.floor((tooMuch - fitting) / (2 * DOLLAR)) * DOLLAR;
    if (fits(middle)) fitting = middle;
    else tooMuch = middle;
  }
  return fitting;
}

function dollarsBelow(cents: number): number {
  return (Math.ceil(cents / DOLLAR) - 1) * DOLLAR;
}

function paymentCents(sheet: RateSheet, offer: RateSheetOffer, tierId: string, rateBps: number, cents: number): number {
  const financing = computeFinancing(sheet, cents);
  return financing.principalCents < 1 ? 0 : computePlan(sheet, financing, offer, tierId, rateBps).schedule.levelPaymentCents;
}
