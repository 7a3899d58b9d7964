import type { CivilDate } from '../../shared/dates.ts';
import { computeFinancing } from '../../shared/financing.ts';
import { computePlan, plansFor } from '../../shared/plans.ts';
import { boundsOf } from '../../shared/programs/consistency.ts';
import type { Program } from '../../shared/programs/program.ts';
import { type RateSheet, rateSheet, type RateSheetOffer } from '../../shared/programs/rate-sheet.ts';
import type { CreditScore } from './credit-score.ts';
import type { CreditDecision, CreditRequest } from './lender.ts';

/** The parts of a request that the rules use. */
export type RulesRequest = Pick<CreditRequest, 'program' | 'amountCents'> & {
  contact: Pick<CreditRequest['contact'], 'state'>;
  applicant: Pick<CreditRequest['applicant'], 'annualIncomeCents'>;
};

export interface RulesOptions {
  /** Largest share of the gross income that a monthly payment may take. */
  maxPaymentToIncomePercent: number;
  /** Date whose rates apply. */
  on: CivilDate;
}

/**
 * A credit bureau's response: a score from 300 to 850, with or without the facts about it that the buyer must receive; a file without
 * a score; a file that the buyer has frozen; or no file.
 */
export type CreditFile =
  | { found: 'score'; score: number | CreditScore }
  | { found: 'no-score' }
  | { found: 'frozen' }
  | { found: 'no-file' };

/**
 * Decides by the credit score bands of the program's tiers and by the buyer's income.
 *
 * The payments of at least one plan of the tier must be affordable for the income. If there is no such plan for the requested amount,
 * approves the largest amount with such a plan.
 */
export function decide(request: RulesRequest, creditFile: CreditFile, options: RulesOptions): CreditDecision {
  if (creditFile.found !== 'score') return WITHOUT_SCORE[creditFile.found];
  const { score } = creditFile;
  if (typeof score === 'number') return decideByScore(request, score, options);
  const decision = decideByScore(request, score.value, options);
  return decision.outcome === 'approved' || decision.outcome === 'denied' ? { ...decision, score } : decision;
}

const WITHOUT_SCORE: Record<Exclude<CreditFile['found'], 'score'>, CreditDecision> = {
  frozen: { outcome: 'needs-action', action: 'unfreeze-credit-file' },
  'no-file': { outcome: 'denied', reasons: ['no-file'] },
  'no-score': { outcome: 'denied', reasons: ['insufficient-file'] },
};

function decideByScore(
  { program, amountCents, contact, applicant }: RulesRequest,
  score: number,
  { maxPaymentToIncomePercent, on }: RulesOptions,
): CreditDecision {
  const tierId = tierForScore(program, score);
  if (tierId === undefined) return { outcome: 'denied', reasons: ['credit-history'] };
  const sheet = rateSheet(program, contact.state);
  const pricing = { sheet, tierId, on };
  const maxMonthlyCents = Math.floor((applicant.annualIncomeCents * maxPaymentToIncomePercent) / 1_200);
  const limitCents = maxAffordableCents(pricing, amountCents, maxMonthlyCents);
  if (limitCents === amountCents) return { outcome: 'approved', tierId, limitCents: null };
  const availableCents = maxAffordableCents(pricing, amountCents, Infinity);
  if (limitCents !== undefined) {
    return { outcome: 'approved', tierId, limitCents, ...(limitCents !== availableCents && { reasons: ['income'] }) };
  }
  if (availableCents !== undefined) return { outcome: 'denied', reasons: ['income'] };
  // Other tiers have a plan, so the buyer is denied because of their credit.
  return plansFor(sheet, amountCents, on).length > 0 ? { outcome: 'denied', reasons: ['tier'] } : { outcome: 'ineligible' };
}

/**
 * Returns the best tier whose credit band starts at or below the score; undefined if the score is below all bands. A higher score
 * never has a worse tier, even between bands.
 */
export function tierForScore({ tiers }: Pick<Program, 'tiers'>, score: number): string | undefined {
  const reached = tiers.filter(({ creditBand }) => creditBand.min <= score);
  return reached.toSorted((a, b) => b.creditBand.min - a.creditBand.min)[0]?.id;
}

interface Pricing {
  sheet: RateSheet;
  tierId: string;
  on: CivilDate;
}

const DOLLAR = 100;

/** A few amounts have no plan, because rounding to cents would miss the rate. Within this distance there is an amount with a plan. */
const MAX_SEARCH_CENTS = 50 * DOLLAR;

/**
 * Returns the largest amount up to `amountCents` that has a plan with payments of at most `maxMonthlyCents`; undefined if there is
 * none. Considers `amountCents`, the maximum of each offer, and whole dollars.
 */
export function maxAffordableCents(
  { sheet, tierId, on }: Pricing,
  amountCents: number,
  maxMonthlyCents: number,
): number | undefined {
  const amounts = sheet.offers.flatMap((offer) => {
    const { minCents, maxCents } = boundsOf(offer, sheet.amount);
    const rateBps = offer.tierAprBps[tierId];
    if (rateBps === undefined || minCents > amountCents) return [];
    const isAffordable = (cents: number) => paymentCents(sheet, offer, tierId, rateBps, cents) <= maxMonthlyCents;
    const hasPlan = (cents: number) =>
      plansFor(sheet, cents, on).some((plan) => plan.offerId === offer.id && plan.tierId === tierId);

    const largest = largestAffordable(minCents, Math.min(maxCents, amountCents), isAffordable);
    for (let cents = largest; cents >= Math.max(minCents, largest - MAX_SEARCH_CENTS); cents = nextLowerDollar(cents)) {
      if (isAffordable(cents) && hasPlan(cents)) return [cents];
    }
    return [];
  });
  return amounts.length > 0 ? Math.max(...amounts) : undefined;
}

/** Returns the largest affordable amount: `to`, or a whole dollar below it. Uses bisection, because payments grow with the amount. */
function largestAffordable(from: number, to: number, isAffordable: (cents: number) => boolean): number {
  if (isAffordable(to)) return to;
  let [affordable, tooMuch] = [nextLowerDollar(from), Math.ceil(to / DOLLAR) * DOLLAR];
  while (tooMuch - affordable > DOLLAR) {
    const middle = affordable + Math.floor((tooMuch - affordable) / (2 * DOLLAR)) * DOLLAR;
    if (isAffordable(middle)) affordable = middle;
    else tooMuch = middle;
  }
  return affordable;
}

/** Returns the largest whole dollar below `cents`. */
function nextLowerDollar(cents: number): number {
  return (Math.ceil(cents / DOLLAR) - 1) * DOLLAR;
}

function paymentCents(sheet: RateSheet, offer: RateSheetOffer, tierId: string, rateBps: number, cents: number): number {
  const financing = computeFinancing(sheet, cents);
  return financing.principalCents < 1 ? 0 : computePlan(sheet, financing, offer, tierId, rateBps).schedule.levelPaymentCents;
}
