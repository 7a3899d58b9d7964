import { statedPercent } from '../apr/percent.ts';
import { financingOf } from '../financing.ts';
import { formatMoney } from '../money.ts';
import { installmentsOf, type Plan, workOut } from '../plan.ts';
import { faultOf } from '../plans.ts';
import { boundsOf, type Problem } from './coherence.ts';
import type { Program } from './program.ts';
import { type RateSheet, rateSheet, type RateSheetOffer } from './rate-sheet.ts';
import { exampleProblems } from './example-proof.ts';

/**
 * What is wrong with the loans of a program: each offer is worked out for each tier at the least and the most it is for.
 *
 * Between the two, what costs too much or cannot be stated accurately is not sold: see `plansFor`.
 */
export function proofProblems(program: Program): Problem[] {
  const sheet = rateSheet(program);
  return sheet.offers.flatMap((offer) => {
    const index = program.offers.findIndex(({ id }) => id === offer.id);
    const { minCents, maxCents } = boundsOf(offer, program.amount);
    return Object.entries(offer.tierAprBps).flatMap(([tierId, rateBps]) =>
      [...new Set([minCents, maxCents])].flatMap((purchaseCents) =>
        loanProblems(sheet, offer, tierId, rateBps, purchaseCents).map((problem) => ({
          path: ['offers', index, 'tierAprBps', tierId],
          message: `${problem}, at ${formatMoney(purchaseCents, program.currency)}`,
        })),
      ),
    );
  });
}

function loanProblems(sheet: RateSheet, offer: RateSheetOffer, tierId: string, rateBps: number, purchaseCents: number): string[] {
  const financing = financingOf(sheet, purchaseCents);
  const { amountFinancedCents } = financing;
  if (amountFinancedCents < 1) {
    return [`Expected something to finance beside the down payment and the fees, but ${amountFinancedCents} cents are left`];
  }
  const plan = workOut(sheet, financing, offer, tierId, rateBps);
  if (plan.termLength !== offer.termLength) {
    return [`Expected ${offer.termLength} payments, but whole cents repay the loan in ${plan.termLength}`];
  }
  const problems = [...scheduleProblems(sheet, plan), ...faultProblems(sheet, plan)];
  return problems.length > 0 ? problems : exampleProblems(plan);
}

/** What must hold of every schedule, and would not where rounding weighs more than the loan. */
function scheduleProblems(sheet: RateSheet, plan: Plan): string[] {
  const { principalCents } = plan.financing;
  const { levelPaymentCents, lastPaymentCents } = plan.schedule;
  const installments = installmentsOf(sheet, plan);
  if (installments.some((installment) => installment.principalCents <= 0)) {
    return [`Expected every payment to repay something, but one of ${levelPaymentCents} cents does not`];
  }
  const repaidCents = installments.reduce((sum, installment) => sum + installment.principalCents, 0);
  if (repaidCents !== principalCents || installments.at(-1)!.balanceCents !== 0) {
    return [`Expected the payments to repay ${principalCents} cents, but they repay ${repaidCents}`];
  }
  const mostCents = mostRoundingCents(sheet, plan);
  if (plan.termLength > 1 && Math.abs(lastPaymentCents - levelPaymentCents) > mostCents) {
    return [
      `Expected a last payment within ${mostCents.toFixed(1)} cents of ${levelPaymentCents}, but it is ${lastPaymentCents} cents`,
    ];
  }
  return [];
}

/** How far the last payment may be from the others: a rounded payment and rounded interest, each grown until then. */
function mostRoundingCents({ paymentRounding }: RateSheet, { noteRateBps, termLength }: Plan): number {
  const rate = noteRateBps / 120_000;
  const grown = rate === 0 ? termLength : Math.expm1(termLength * Math.log1p(rate)) / rate;
  return grown * (paymentRounding === 'ceil' ? 1 : 0.5) + 0.5 * grown + 1;
}

function faultProblems(sheet: RateSheet, plan: Plan): string[] {
  const { maxAprBps, maprCapBps } = sheet.caps;
  const percent = (aprBps: number | null) => `${statedPercent((aprBps ?? 0) / 10_000)}%`;
  const stated = percent(plan.aprBps);
  const fault = faultOf(sheet, plan);
  const words = {
    cap: `Expected at most ${percent(maxAprBps)} APR (caps.maxAprBps), but it is ${stated}`,
    accuracy: `Expected payments within 1/8 of a point of ${stated} APR, but whole cents make them miss it`,
    mapr: `Expected a military APR of at most ${percent(maprCapBps)} (caps.maprCapBps), but the loan costs more`,
  };
  return fault ? [words[fault]] : [];
}
