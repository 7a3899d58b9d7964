import { type Language, inLanguage } from '../languages/index.ts';
import { MILITARY_STATES } from '../wire/us-states.ts';
import type { Program, StateNotice } from './program.ts';

type States = Pick<Program, 'states'>;

/**
 * Ages from which residents can sign a contract, where it is not 18: Ala. Code § 26-1-1 and Neb. Rev. Stat. § 43-2101. A program can
 * state other ages.
 */
const AGES_OF_MAJORITY: Readonly<Record<string, number>> = { AL: 19, NE: 19 };

/** Returns the age from which residents of a state can apply. */
export function minAgeIn({ states }: States, state: string): number {
  return states.overrides[state]?.minAge ?? AGES_OF_MAJORITY[state] ?? 18;
}

/**
 * Returns the highest minimum age of a state: the age of majority, below which a creditor may treat applicants differently, 12 CFR
 * 1002.6(b)(2). In Mississippi it is 21, but contracts about personal property bind from 18: Miss. Code §§ 1-3-27, 93-19-13.
 */
export function majorityIn(state: string): number {
  return state === 'MS' ? 21 : (AGES_OF_MAJORITY[state] ?? 18);
}

/**
 * Returns the states whose residents are not offered loans: those that the program excludes, and Wisconsin, unless the program has a
 * notice for its applicants. Without the notice, an agreement between spouses can limit what a creditor may recover: Wis. Stat.
 * § 766.56(2)(b).
 */
export function excludedStates({ states }: States): string[] {
  const { excluded } = states;
  const isWisconsinSold = excluded.includes('WI') || noticesOf({ states }, 'WI', 'application', 'en').length > 0;
  return isWisconsinSold ? excluded : [...excluded, 'WI'];
}

/** Returns the notices for the residents of a state at one place, in English if there is no text in the language. */
export function noticesOf({ states }: States, state: string, place: StateNotice['at'], language: Language): string[] {
  const notices = states.notices[state] ?? [];
  return notices.flatMap(({ at, text }) => (at === place ? [inLanguage(text, language)] : []));
}

/**
 * Returns the highest rate in basis points that is lawful for a buyer.
 *
 * @param state - The state of the buyer's address. If it is unknown, or a military address, which does not state where the buyer
 *   resides, the rate is lawful in every state in which loans are offered.
 */
export function maxAprBpsIn({ caps, states }: Pick<Program, 'caps' | 'states'>, state: string | undefined): number {
  const isUnknown = state === undefined || Object.hasOwn(MILITARY_STATES, state);
  const excluded = excludedStates({ states });
  const stateCaps = Object.entries(caps.stateAprCapBps).filter(([capState]) =>
    isUnknown ? !excluded.includes(capState) : capState === state,
  );
  return Math.min(caps.maxAprBps, ...stateCaps.map(([, capBps]) => capBps));
}
