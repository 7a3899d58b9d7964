import { propertyOf } from '../../../shared/objects.ts';
import type { CivilDate } from '../../../shared/dates.ts';
import type { AgreementText } from '../../../shared/programs/documents.ts';
import { LANGUAGES } from '../../../shared/languages/index.ts';
import type { Finding } from '../../../shared/programs/check.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { excludedStates } from '../../../shared/programs/states.ts';
import { POSTAL_STATES } from '../../../shared/wire/us-states.ts';
import type { FetchedNotice } from './privacy-notice.ts';

/** The configuration of a live service that its programs depend on. */
export interface LiveService {
  /** True if a card gateway is configured, which collects down payments (decisions/0040). */
  hasCards: boolean;
}

/** The facts that an import compares the content of a program with. */
export interface ImportContext extends LiveService {
  /** The day of the check, in the time zone of the program. */
  today: CivilDate;
  /** The fetched privacy notice. Without it, the notice is not compared. */
  notice?: FetchedNotice | undefined;
}

/** A place in a program that does not meet a requirement, and its content. */
export interface Violation {
  path: string;
  received: string;
}

/** A requirement of a program before loans are made under it. */
export interface LiveRule<Context = LiveService> {
  /** The field that states it: `lender.address`. A violation can be at another field. */
  path: string;
  /** The expected value, as the end of a sentence that begins with "Expected". */
  expected: string;
  citation: string;
  find(program: Program, context: Context): Violation[];
}

/** A requirement and whether a program meets it. */
export interface CheckedRule extends Pick<LiveRule, 'path' | 'expected' | 'citation'> {
  problems: Finding[];
}

/** Checks a valid program by each rule. */
export function checkRules<Context>(rules: readonly LiveRule<Context>[], program: Program, context: Context): CheckedRule[] {
  return rules.map(({ path, expected, citation, find }) => {
    const message = (received: string) => `Expected ${expected} (${citation}), but received ${received}`;
    const problems = find(program, context).map((violation) => ({ path: violation.path, message: message(violation.received) }));
    return { path, expected, citation, problems };
  });
}

/** A rule about one field. @param isMet - By default, the field must be there. */
export function fieldRule(
  path: string,
  expected: string,
  citation: string,
  isMet = (program: Program) => valueAt(program, path) !== undefined,
): LiveRule {
  return { path, expected, citation, find: (program) => (isMet(program) ? [] : [at(program, path)]) };
}

/** A rule about all texts of a program. @param offending - Returns the part of a text that violates it. */
export function textRule(
  path: string,
  expected: string,
  citation: string,
  offending: (text: string, textPath: string) => string | undefined,
): LiveRule {
  const find = (program: Program) =>
    textsOf(program).flatMap(([textPath, text]) => {
      const found = offending(text, textPath);
      return found === undefined ? [] : [{ path: textPath, received: JSON.stringify(found) }];
    });
  return { path, expected, citation, find };
}

export function valueAt(program: Program, path: string): unknown {
  return path.split('.').reduce<unknown>(propertyOf, program);
}

export function at(program: Program, path: string): Violation {
  const value = valueAt(program, path);
  return { path, received: value === undefined ? 'nothing' : shortened(JSON.stringify(value)) };
}

/** Returns the states of addresses to which loans are offered. */
export function soldStates(program: Program): string[] {
  const excluded = excludedStates(program);
  return Object.keys(POSTAL_STATES).filter((state) => !excluded.includes(state));
}

export function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  // Pictures are not texts.
  if (path === 'lender.logo') return [];
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, path === '' ? name : `${path}.${name}`));
}

/** Returns each agreement in each language with its path. */
export function agreementsOf({ agreement, coveredBorrower }: Program['documents']): [path: string, text: AgreementText][] {
  return Object.entries({ agreement, coveredBorrower }).flatMap(([kind, document]) =>
    LANGUAGES.flatMap((language): [string, AgreementText][] => {
      const text = document?.[language];
      return text ? [[`documents.${kind}.${language}`, text]] : [];
    }),
  );
}

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
