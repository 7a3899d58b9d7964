import { validate } from 'superstruct';
import { findUnsafeJson } from '../wire/unsafe-json.ts';
import { type Problem, boundsOf } from './consistency.ts';
import { Program } from './program.ts';
import { statedPercent } from '../apr.ts';
import { computeFinancing } from '../financing.ts';
import { formatMoney } from '../money.ts';
import { installmentsOf, type Plan, computePlan, findViolation } from '../plans.ts';
import { type RateSheet, rateSheet, type RateSheetOffer } from './rate-sheet.ts';
import { excludedStates } from './states.ts';

/** A problem of a program and its path: `offers.2.tierAprBps.B`. */
export interface Finding {
  path: string;
  /** The expected and the received value. */
  message: string;
}

/** Result of checking a program. */
export interface CheckedProgram {
  /** The program with its defaults filled in. Undefined if there are errors. */
  program: Program | undefined;
  /** `program`, also if its loans have errors, for further checks. */
  consistent?: Program;
  errors: Finding[];
  /** Warnings do not prevent the program from being used. */
  warnings: Finding[];
}

/**
 * Validates a financing program in three stages: its fields, their consistency, and its loans. The last stage computes every
 * offer for every tier at both ends of its amount range and verifies that the payments repay the loan, comply with the caps and
 * are disclosed accurately.
 *
 * Reports all problems of the first stage that fails.
 *
 * @param value - Parsed JSON.
 */
export function checkProgram(value: unknown): CheckedProgram {
  const problem = findUnsafeJson(value);
  if (problem) return { program: undefined, errors: [{ path: '', message: problem }], warnings: [] };
  const [error, program] = validate(value, Program, { coerce: true });
  if (error) {
    const errors = error.failures().map(({ path, message }) => finding({ path, message: withoutPath(message) }));
    return { program: undefined, errors, warnings: [] };
  }
  const errors = findLoanProblems(program).map(finding);
  const warnings = findWarnings(program).map(finding);
  return { program: errors.length > 0 ? undefined : program, consistent: program, errors, warnings };
}

function finding({ path, message }: Problem): Finding {
  return { path: path.join('.'), message };
}

/**
 * Removes the path that superstruct puts in front of some messages, because a finding has its own path, rewords the type `never`, and
 * corrects an article.
 */
function withoutPath(message: string): string {
  return message
    .replace(/^At path: \S+ -- /, '')
    .replace(/^Expected a value of type `never`/, 'Expected no field of this name')
    .replace(/^Expected a integer/, 'Expected an integer');
}

/**
 * Returns the problems of a program's loans. Computes each offer for each tier at the minimum and the maximum of its amount
 * range.
 *
 * Amounts in between need no check: `plansFor` does not sell plans that exceed a cap or cannot be stated accurately.
 */
function findLoanProblems(program: Program): Problem[] {
  const sheet = rateSheet(program);
  return sheet.offers.flatMap((offer) => {
    const index = program.offers.findIndex(({ id }) => id === offer.id);
    const { minCents, maxCents } = boundsOf(offer, program.amount);
    return Object.entries(offer.tierAprBps).flatMap(([tierId, rateBps]) =>
      [...new Set([minCents, maxCents])].flatMap((purchaseCents) =>
        loanProblemsAt(sheet, offer, tierId, rateBps, purchaseCents).map((problem) => ({
          path: ['offers', index, 'tierAprBps', tierId],
          message: `${problem}, at ${formatMoney(purchaseCents, program.currency)}`,
        })),
      ),
    );
  });
}

function loanProblemsAt(
  sheet: RateSheet,
  offer: RateSheetOffer,
  tierId: string,
  rateBps: number,
  purchaseCents: number,
): string[] {
  const financing = computeFinancing(sheet, purchaseCents);
  const { amountFinancedCents } = financing;
  if (amountFinancedCents < 1) {
    return [`Expected a positive amount financed after the down payment and the fees, but received ${amountFinancedCents} cents`];
  }
  const plan = computePlan(sheet, financing, offer, tierId, rateBps);
  if (plan.termLength !== offer.termLength) {
    return [`Expected ${offer.termLength} payments, but rounded payments repay the loan in ${plan.termLength}`];
  }
  return [...repaymentProblems(sheet, plan), ...violationProblems(sheet, plan)];
}

/** Rejects a payment that is not more than its interest, where rounding is large relative to the loan. */
function repaymentProblems(sheet: RateSheet, plan: Plan): string[] {
  if (installmentsOf(sheet, plan).every(({ principalCents }) => principalCents > 0)) return [];
  return [`Expected every payment to repay something, but one of ${plan.schedule.levelPaymentCents} cents does not`];
}

function violationProblems(sheet: RateSheet, plan: Plan): string[] {
  const { maxAprBps, maprCapBps } = sheet.caps;
  const percent = (aprBps: number | null) => `${statedPercent((aprBps ?? 0) / 10_000)}%`;
  const stated = percent(plan.aprBps);
  const violation = findViolation(sheet, plan);
  const messages = {
    cap: `Expected at most ${percent(maxAprBps)} APR (caps.maxAprBps), but it is ${stated}`,
    accuracy: `Expected payments within 1/8 of a point of ${stated} APR, but rounding to whole cents makes it inaccurate`,
    mapr: `Expected a military APR of at most ${percent(maprCapBps)} (caps.maprCapBps), but the loan costs more`,
  };
  return violation ? [messages[violation]] : [];
}

/** An advertised rate is not representative if fewer approved buyers qualify for it: comment 24(d)(2)-5 to 12 CFR 1026.24. */
export const MIN_REPRESENTATIVE_SHARE = 0.1;

/** Returns warnings about a valid program. */
function findWarnings(program: Program): Problem[] {
  return [...shareWarnings(program), ...unsoldTierWarnings(program), ...stateWarnings(program)];
}

function shareWarnings({ tiers }: Program): Problem[] {
  const unadvertised: Problem[] = tiers.some(({ advertise }) => advertise)
    ? []
    : [{ path: ['tiers'], message: 'No tier is advertised: quotes show the range of rates without an "as low as" example' }];
  const unrepresentative = tiers.flatMap(({ id, advertise, representativeShare }, index): Problem[] => {
    if (!advertise || representativeShare === undefined || representativeShare >= MIN_REPRESENTATIVE_SHARE) return [];
    const percent = `${Math.round(100 * representativeShare)} %`;
    return [
      {
        path: ['tiers', index, 'representativeShare'],
        message: `Tier "${id}" is advertised, but only ${percent} of approved buyers qualify for it`,
      },
    ];
  });
  return [...unadvertised, ...unrepresentative];
}

function unsoldTierWarnings({ tiers, offers }: Program): Problem[] {
  return tiers.flatMap(({ id }, index): Problem[] => {
    if (offers.some(({ tierAprBps }) => Object.hasOwn(tierAprBps, id))) return [];
    return [{ path: ['tiers', index], message: `Tier "${id}" has no offers` }];
  });
}

/** Offers above a state's cap are valid but not sold in that state. The warning makes this visible to the operator. */
function stateWarnings(program: Program): Problem[] {
  const { offers, caps } = program;
  const excluded = excludedStates(program);
  const overCap = Object.entries(caps.stateAprCapBps).flatMap(([state, capBps]): Problem[] => {
    if (excluded.includes(state)) return [];
    const above = offers.flatMap(({ id, tierAprBps }) =>
      Object.entries(tierAprBps).flatMap(([tierId, rateBps]) => (rateBps > capBps ? [`${id} for ${tierId}`] : [])),
    );
    if (above.length === 0) return [];
    return [{ path: ['caps', 'stateAprCapBps', state], message: `Not sold in ${state}: ${above.join(', ')}` }];
  });
  // `excludedStates` adds Wisconsin to a program that has no notice for its applicants.
  if (excluded.includes('WI') === program.states.excluded.includes('WI')) return overCap;
  return [...overCap, { path: ['states', 'notices', 'WI'], message: 'Not sold in WI: there is no notice for applicants' }];
}
