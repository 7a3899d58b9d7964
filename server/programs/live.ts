import { propertyOf } from '../../shared/objects.ts';
import type { ReasonCode, ReasonText } from '../../shared/programs/denial-reason.ts';
import type { Agreement } from '../../shared/programs/documents.ts';
import { LANGUAGES } from '../../shared/languages/index.ts';
import type { Finding } from '../../shared/programs/check.ts';
import type { Program } from '../../shared/programs/program.ts';
import { noticesOf } from '../../shared/programs/states.ts';

/** A fact that the law requires of a lender, and the field of the program that states it. */
interface LiveRule {
  /** `lender.address` */
  path: string;
  /** The expected value, as the end of a sentence that begins with "Expected". */
  expected: string;
  citation: string;
  isMet(program: Program): boolean;
}

/** The facts that a program must state before loans are made under it. `server/docs/compliance.md` lists where buyers see it. */
export const liveRules: readonly LiveRule[] = [
  {
    path: 'timeZone',
    expected: "the time zone of the lender's dates instead of UTC, whose days end in the afternoon or evening of US time zones",
    citation: '12 CFR 1026.17(c)(1)',
    isMet: ({ timeZone }) => timeZone !== 'UTC',
  },
  {
    path: 'lender.address',
    expected: "the lender's postal address, which an adverse action notice states",
    citation: '12 CFR 1002.9(a)(2)',
    isMet: ({ lender }) => lender.address !== undefined,
  },
  {
    path: 'lender.phone',
    expected: "the lender's telephone number, for questions and to withdraw the consent to electronic records",
    citation: '15 USC 7001(c)(1)(B)(iii)',
    isMet: ({ lender }) => lender.phone !== undefined,
  },
  {
    path: 'lender.regulator',
    expected: 'the federal agency that an adverse action notice names',
    citation: '12 CFR 1002.9(b)(1)',
    isMet: ({ lender }) => lender.regulator !== undefined,
  },
  {
    path: 'lender.creditBureau',
    expected: 'the consumer reporting agency whose reports the lender uses',
    citation: '15 USC 1681m(a)(3)',
    isMet: ({ lender }) => lender.creditBureau !== undefined,
  },
  {
    path: 'lender.model',
    expected: '`bank-partner` or `licensed-lender`, because the customers of a bank receive an identification notice',
    citation: '31 CFR 1020.220(a)(5)',
    isMet: ({ lender }) => lender.model !== undefined,
  },
  {
    path: 'lender.licenses',
    expected: 'the licenses of a lender that is not a bank',
    citation: 'for example Cal. Fin. Code § 22100',
    isMet: ({ lender }) => lender.model !== 'licensed-lender' || Object.keys(lender.licenses).length > 0,
  },
  {
    path: 'inquiry',
    expected: 'the credit inquiries of the lender, because the consent states whether they affect the credit score',
    citation: '12 USC 5531',
    isMet: ({ inquiry }) => inquiry !== undefined,
  },
  {
    path: 'creditScores',
    expected: '`used` or `not-used`, because a decision by a credit score must contain it',
    citation: '15 USC 1681m(a)(2), 12 CFR 1022.74',
    isMet: ({ creditScores }) => creditScores !== undefined,
  },
  {
    path: 'undecided',
    expected: "`days` and `reason` from the lender's counsel, in every language, for an application that is not decided",
    citation: '12 CFR 1002.9(a)(1)(i)',
    isMet: ({ undecided }) => undecided !== undefined && isReasonTranslated(undecided.reason),
  },
  {
    path: 'lender.privacyNotice',
    expected: "the address and the SHA-256 of the lender's privacy notice",
    citation: '12 CFR 1016.4(a)(1)',
    isMet: ({ lender }) => lender.privacyNotice !== undefined,
  },
  {
    path: 'documents.agreement',
    expected: "the lender's agreement in every language of the checkout, to which the disclosure refers",
    citation: '12 CFR 1026.18(p)',
    isMet: ({ documents }) => isTranslated(documents.agreement),
  },
  {
    path: 'documents.coveredBorrower',
    expected: 'the agreement for servicemembers and their dependents, without the terms that are prohibited for them',
    citation: '32 CFR 232.8',
    isMet: ({ documents }) => isTranslated(documents.coveredBorrower),
  },
  {
    path: 'military.phone',
    expected: 'the toll-free telephone number of the oral disclosures, which every covered borrower receives',
    citation: '32 CFR 232.6(d)(2)(ii)(B)',
    isMet: ({ military }) => military.phone !== undefined,
  },
  {
    path: 'states.excluded',
    expected: '"WI", or a notice to applicants in Wisconsin in `states.notices`',
    citation: 'Wis. Stat. § 766.56(2)(b)',
    isMet: ({ states }) => states.excluded.includes('WI') || noticesOf({ states }, 'WI', 'application', 'en').length > 0,
  },
  {
    path: 'servicing',
    expected: 'the website, the address and the telephone number for payments',
    citation: '12 USC 5531',
    isMet: ({ servicing }) => servicing !== undefined,
  },
];

/**
 * Returns what a valid program lacks for live mode.
 *
 * @param service.hasCards - Whether a card gateway is configured, which collects down payments (decisions/0040).
 */
export function findLiveProblems(program: Program, { hasCards }: { hasCards: boolean }): Finding[] {
  const { percentBps, minCents } = program.downPayment;
  const message = `Expected none, because no card gateway is configured (CARD_STRIPE_KEY), but received ${JSON.stringify(program.downPayment)}`;
  const cardProblems = hasCards || (percentBps === 0 && minCents === 0) ? [] : [{ path: 'downPayment', message }];
  return [...liveRules.filter((rule) => !rule.isMet(program)).map((rule) => problemOf(program, rule)), ...cardProblems];
}

function problemOf(program: Program, { path, expected, citation }: LiveRule): Finding {
  return { path, message: `Expected ${expected} (${citation}), but received ${describeField(program, path)}` };
}

/** Returns true if an agreement is in all languages. A missing one must not be signed in English on a page in another language. */
function isTranslated(agreement: Agreement | undefined): boolean {
  return agreement !== undefined && LANGUAGES.every((language) => agreement[language] !== undefined);
}

function isReasonTranslated(reason: ReasonCode | ReasonText): boolean {
  return typeof reason === 'string' || LANGUAGES.every((language) => reason.text[language] !== undefined);
}

function describeField(program: Program, path: string): string {
  const value = path.split('.').reduce<unknown>(propertyOf, program);
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
