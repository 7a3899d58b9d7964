import { hash } from 'node:crypto';
import { propertyOf } from '../../../shared/objects.ts';
import type { ReasonCode, ReasonText } from '../../../shared/programs/denial-reason.ts';
import { type Agreement, type AgreementPlaceholder, REQUIRED_TOPICS } from '../../../shared/programs/documents.ts';
import { digitsOf, fictionalPhoneIn, phonesIn, reservedDomainIn } from '../../../shared/fictional.ts';
import { type Language, LANGUAGES } from '../../../shared/languages/index.ts';
import type { Finding } from '../../../shared/programs/check.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { majorityIn } from '../../../shared/programs/states.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import { importRules } from './import-rules.ts';
import {
  agreementsOf,
  at,
  type CheckedRule,
  checkRules,
  fieldRule,
  type ImportContext,
  type LiveRule,
  type LiveService,
  shortened,
  soldStates,
  textRule,
  textsOf,
  valueAt,
  type Violation,
} from './live-rule.ts';
import { sampleDocuments } from './sample-agreement.ts';
import { standardProgram } from './standard-program.ts';

/** The requirements of a program that a live service sells. 12 USC 5531 prohibits deceptive practices. */
export const saleRules: readonly LiveRule[] = [
  textRule(
    'lender',
    'web and e-mail addresses that exist instead of reserved domains (RFC 2606, RFC 6761)',
    '12 USC 5531',
    reservedDomainIn,
  ),
  textRule('lender.phone', 'telephone numbers that exist instead of 555-0100 to 555-0199', '12 USC 5531', fictionalPhoneIn),
  textRule(
    'lender.name',
    "the lender's own texts, names and addresses instead of those of the samples",
    '12 USC 5531',
    (text, path) => (isSample(text, path) ? shortened(text) : undefined),
  ),
  textRule(
    'lender.website',
    'https addresses, which cannot be changed in transit',
    '12 CFR 1016.9(a)',
    (text) => /\bhttp:\/\/\S*/i.exec(text)?.[0],
  ),
  fieldRule('currency', 'US dollars, in which the disclosures are made', '12 CFR 1026.18', ({ currency }) => currency === 'USD'),
  fieldRule(
    'timeZone',
    "the time zone of the lender's dates instead of UTC, whose days end in the afternoon or evening of US time zones",
    '12 CFR 1026.17(c)(1)',
    ({ timeZone }) => timeZone !== 'UTC',
  ),
  fieldRule('lender.address', "the lender's postal address, which an adverse action notice states", '12 CFR 1002.9(a)(2)'),
  fieldRule(
    'lender.phone',
    "the lender's telephone number, for questions and to withdraw the consent to electronic records",
    '15 USC 7001(c)(1)(B)(iii)',
  ),
  fieldRule(
    'lender.complaints',
    'a telephone number, an address, an e-mail address or a page for complaints about the lender',
    '12 USC 5531',
    ({ lender }) => Object.values(lender.complaints ?? {}).some((value) => value !== undefined),
  ),
  fieldRule('lender.regulator', 'the federal agency that an adverse action notice names', '12 CFR 1002.9(b)(1)'),
  fieldRule('lender.creditBureau', 'the consumer reporting agency whose reports the lender uses', '15 USC 1681m(a)(3)'),
  fieldRule(
    'lender.creditBureau.phone',
    'a toll-free number (800, 833, 844, 855, 866, 877 or 888) of the consumer reporting agency',
    '15 USC 1681m(a)(3)(A)',
    ({ lender }) => lender.creditBureau === undefined || isTollFree(lender.creditBureau.phone),
  ),
  fieldRule(
    'lender.model',
    '`bank-partner` or `licensed-lender`, because the customers of a bank receive an identification notice',
    '31 CFR 1020.220(a)(5)',
  ),
  stateRule('lender.licenses', 'a license of a lender that is not a bank, in every state', 'for example Cal. Fin. Code § 22100'),
  stateRule(
    'caps.stateAprCapBps',
    'the rate ceiling of a lender that is not a bank, in every state',
    'for example N.Y. Gen. Oblig. Law § 5-501',
  ),
  stateRule(
    'late.states',
    'the late charge that a lender that is not a bank may impose, in every state',
    'for example Cal. Fin. Code § 22320.5',
  ),
  {
    path: 'states.reviews',
    expected: "counsel's sign-off with its day for every state in which loans are offered",
    citation: 'the law of the states',
    find: (program) => {
      const reviewed = program.states.reviews.flatMap(({ states }) => states);
      return missingStates(
        'states.reviews',
        soldStates(program).filter((state) => !reviewed.includes(state)),
      );
    },
  },
  {
    path: 'states.overrides',
    expected: 'minimum ages of at most the age of majority',
    citation: '12 CFR 1002.6(b)(2)',
    find: ({ states }) =>
      Object.entries(states.overrides).flatMap(([state, { minAge }]) =>
        minAge <= majorityIn(state) ? [] : [{ path: `states.overrides.${state}.minAge`, received: String(minAge) }],
      ),
  },
  fieldRule(
    'states.excluded',
    '"WI", because the notice to the spouse of a borrower is not supported',
    'Wis. Stat. § 766.56(3)(b)',
    ({ states }) => states.excluded.includes('WI'),
  ),
  fieldRule(
    'inquiry',
    'the credit inquiries of the lender, because the consent states whether they affect the credit score',
    '12 USC 5531',
  ),
  fieldRule(
    'creditScores',
    '`used` or `not-used`, because a decision by a credit score must contain it',
    '15 USC 1681m(a)(2), 12 CFR 1022.74',
  ),
  fieldRule(
    'undecided',
    "`days` and `reason` from the lender's counsel, in every language, for an application that is not decided",
    '12 CFR 1002.9(a)(1)(i)',
    ({ undecided }) => undecided !== undefined && isReasonTranslated(undecided.reason),
  ),
  fieldRule('lender.privacyNotice', "the address and the SHA-256 of the lender's privacy notice", '12 CFR 1016.4(a)(1)'),
  fieldRule(
    'documents.agreement',
    "the lender's agreement in every language of the checkout, to which the disclosure refers",
    '12 CFR 1026.18(p)',
    ({ documents }) => isTranslated(documents.agreement),
  ),
  fieldRule(
    'documents.coveredBorrower',
    'the agreement for servicemembers and their dependents, without the terms that are prohibited for them',
    '32 CFR 232.8',
    ({ documents: { agreement, coveredBorrower } }) =>
      isTranslated(coveredBorrower) && !(agreement && isSameInSomeLanguage(agreement, coveredBorrower)),
  ),
  {
    path: 'documents.agreement.en.sections',
    expected: 'sections with the topics `payments`, `default` and `credit-reporting` in each agreement and language',
    citation: '12 CFR 1026.18(p), 15 USC 1681s-2(a)(7)',
    find: ({ documents }) =>
      agreementsOf(documents).flatMap(([path, { sections }]) =>
        REQUIRED_TOPICS.filter((topic) => !sections.some((section) => section.topic === topic)).map((topic) => ({
          path: `${path}.sections`,
          received: `none about \`${topic}\``,
        })),
      ),
  },
  {
    path: 'documents.agreement.en.promise',
    expected: 'the placeholders of all figures of the loan in each agreement and language',
    citation: '12 CFR 1026.17(c)(1)',
    find: (program) =>
      agreementsOf(program.documents).flatMap(([path, text]) => {
        const all = JSON.stringify(text);
        return neededPlaceholders(program)
          .filter((name) => !all.includes(`{${name}}`))
          .map((name) => ({ path, received: `none of {${name}}` }));
      }),
  },
  fieldRule(
    'purchaseMoney',
    'the notice of the FTC Holder Rule, or counsel’s reason in `purchaseMoneyReason` why the loans are not purchase money loans',
    '16 CFR 433.1(d), 433.2(b)',
    ({ purchaseMoney, purchaseMoneyReason }) => purchaseMoney || purchaseMoneyReason !== undefined,
  ),
  fieldRule(
    'military.phone',
    'the toll-free telephone number (800, 833, 844, 855, 866, 877 or 888) of the oral disclosures, which every covered borrower receives',
    '32 CFR 232.6(d)(2)(ii)(B)',
    ({ military }) => military.phone !== undefined && isTollFree(military.phone),
  ),
  textRule(
    'documents',
    'toll-free numbers (800, 833, 844, 855, 866, 877 or 888) where a text calls a number toll-free',
    '12 USC 5531',
    (text) =>
      CALLED_TOLL_FREE.some((pattern) => pattern.test(text))
        ? phonesIn(text).find((phone) => hasAreaCode(phone) && !isTollFree(phone))
        : undefined,
  ),
  fieldRule('servicing', 'the website, the address and the telephone number for payments', '12 USC 5531'),
  {
    path: 'downPayment',
    expected: 'none without a card gateway (CARD_STRIPE_KEY), which collects it',
    citation: '12 CFR 1026.17(c)(1)',
    find: (program, { hasCards }) => {
      const { percentBps, minCents } = program.downPayment;
      return hasCards || (percentBps === 0 && minCents === 0) ? [] : [at(program, 'downPayment')];
    },
  },
];

/**
 * The requirements of an import into a live service, which a lawyer can work through. `server/docs/compliance.md` has the same list, and
 * where buyers see each.
 */
export const liveRules: readonly Pick<LiveRule, 'path' | 'expected' | 'citation'>[] = [...saleRules, ...importRules];

/** Checks a valid program by every requirement of an import into a live service. */
export function checkLive(program: Program, context: ImportContext): CheckedRule[] {
  return [...checkRules(saleRules, program, context), ...checkContent(program, context)];
}

/** Nothing is sold under a retired version, which withdraws a program. It must be possible at any time. */
function checkContent(program: Program, context: ImportContext): CheckedRule[] {
  return program.status === 'retired' ? [] : checkRules(importRules, program, context);
}

/** Returns why a live service does not sell a valid program. */
export function findSaleProblems(program: Program, service: LiveService): Finding[] {
  return checkRules(saleRules, program, service).flatMap(({ problems }) => problems);
}

/** Returns why a live service that sells a program would not import it today. */
export function findContentProblems(program: Program, context: ImportContext): Finding[] {
  return checkContent(program, context).flatMap(({ problems }) => problems);
}

/** A rule about every state in which a lender that is not a bank offers loans: the field has a value for each. */
function stateRule(path: string, expected: string, citation: string): LiveRule {
  const find = (program: Program) => {
    if (program.lender.model !== 'licensed-lender') return [];
    const stated = valueAt(program, path);
    return missingStates(
      path,
      soldStates(program).filter((state) => Object.hasOwn(US_STATES, state) && propertyOf(stated, state) === undefined),
    );
  };
  return { path, expected, citation, find };
}

function missingStates(path: string, states: readonly string[]): Violation[] {
  return states.length === 0 ? [] : [{ path, received: `none for ${states.join(', ')}` }];
}

const TOLL_FREE = /^1?8(?:00|33|44|55|66|77|88)\d{7}$/;

/** In Spanish, only words next to the number or about a call mean that the call is free: a copy of a document is free, too. */
const CALLED_TOLL_FREE = [
  /toll[\s\p{Pd}]?free|gratuit/iu,
  /(?:\bll[aá]m|tel[eé]fono|n[uú]mero|l[ií]nea)\p{L}*[^\p{L};]+(?:\p{L}+[^\p{L};]+){0,2}(?:sin (?:costo|cargo)|gratis)/iu,
  /(?:sin (?:costo|cargo)s?(?: alguno)?|gratis)\P{L}{0,3}(?:(?:al?|en el|n[uú]mero|tel[eé]fono)\P{L}{1,3}){0,3}\d/iu,
];

/** Returns false for numbers without an area code, and for digits that are another number, such as that of a loan. */
function hasAreaCode(phone: string): boolean {
  const digits = digitsOf(phone);
  return digits.length >= 10 && (digits !== phone || /^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits));
}

const isTollFree = (phone: string): boolean => TOLL_FREE.test(digitsOf(phone));

/** Shorter texts of the samples, such as headings, can be in any agreement. */
const MIN_SAMPLE_LENGTH = 80;

/** Shorter values of the standard program, such as `bank-partner`, can be in any program. */
const MIN_STANDARD_LENGTH = 21;

/** Hashes of the samples' paragraphs, and of the names and addresses of the standard program. */
const samples = new Set(
  [
    ...textsOf(sampleDocuments).filter(([, text]) => text.length >= MIN_SAMPLE_LENGTH),
    ...textsOf([standardProgram.lender, standardProgram.servicing, standardProgram.undecided]).filter(
      ([, text]) => text.length >= MIN_STANDARD_LENGTH,
    ),
    ['lender.name', standardProgram.lender.name] as const,
  ].map(([, text]) => fingerprint(text)),
);

/** Returns a hash that ignores case, white space and punctuation. */
function fingerprint(text: string): string {
  return hash(
    'sha256',
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
    'base64',
  );
}

/** Returns true for a text of a sample, and for a name or an address that is an example. */
function isSample(text: string, path: string): boolean {
  const isOfCompany = path.startsWith('lender.') || path.startsWith('servicing.');
  return samples.has(fingerprint(text)) || (isOfCompany && /\bExample\b/.test(text));
}

/** Returns true if an agreement is in all languages. A missing one must not be signed in English on a page in another language. */
function isTranslated(agreement: Agreement | undefined): agreement is Agreement {
  return agreement !== undefined && LANGUAGES.every((language) => agreement[language] !== undefined);
}

function isReasonTranslated(reason: ReasonCode | ReasonText): boolean {
  return typeof reason === 'string' || LANGUAGES.every((language) => reason.text[language] !== undefined);
}

/** Returns true if two agreements differ in some language by nothing but case, white space and punctuation. */
function isSameInSomeLanguage(agreement: Agreement, other: Agreement): boolean {
  const isSame = (language: Language) => {
    const text = agreement[language];
    const otherText = other[language];
    return text && otherText && fingerprint(JSON.stringify(text)) === fingerprint(JSON.stringify(otherText));
  };
  return LANGUAGES.some(isSame);
}

/** Returns the placeholders without which an agreement would not state a figure of the loan. */
function neededPlaceholders({ fees, late, schedule }: Program): AgreementPlaceholder[] {
  const { firstPaymentAfter, oddDaysInterest } = schedule;
  const hasOddInterest = oddDaysInterest !== 'none' && (firstPaymentAfter.months > 1 || firstPaymentAfter.days > 0);
  const hasLateCharge = [late, ...Object.values(late.states)].some(
    ({ flatCents, percentBps }) => flatCents > 0 || percentBps > 0,
  );
  return [
    'lender',
    'principal',
    'interestRate',
    'paymentCount',
    'firstDue',
    ...(fees.length > 0 ? (['fees'] as const) : []),
    ...(hasOddInterest ? (['oddDaysInterest', 'firstPayment'] as const) : []),
    ...(hasLateCharge ? (['lateCharge'] as const) : []),
  ];
}
