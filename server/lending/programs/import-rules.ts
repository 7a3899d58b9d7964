import { addMonths } from '../../../shared/dates.ts';
import { MIN_REPRESENTATIVE_SHARE } from '../../../shared/programs/check.ts';
import type { Program } from '../../../shared/programs/program.ts';
import {
  agreementsOf,
  at,
  fieldRule,
  type ImportContext,
  type LiveRule,
  shortened,
  textsOf,
  type Violation,
} from './live-rule.ts';

/** The time zones of the states and DC. Aliases such as `US/Eastern` are not among them. */
const US_TIME_ZONE =
  /^(?:America\/(?:Adak|Anchorage|Boise|Chicago|Denver|Detroit|Juneau|Los_Angeles|Menominee|Metlakatla|New_York|Nome|Phoenix|Sitka|Yakutat|(?:Indiana|Kentucky|North_Dakota)\/\w+)|Pacific\/Honolulu)$/;

const MAX_APR_BPS = 3_600;
const MAX_LATE_FLAT_CENTS = 1_500;
const MAX_LATE_BPS = 500;
const REVIEW_MONTHS = 24;

/** Arbitration, waivers and class actions in English and Spanish, but not "arbitrary" and "arbitrario". */
const PROHIBITED_FOR_COVERED =
  /(?<!\p{L})(?:[aá]rbitr(?!ary|arily|ari[oa])\p{L}*|waiv\p{L}+|renunci\p{L}+|class(?!\p{L})[^.]{0,30}(?:action|proceeding)s?|(?:acci[oó]n(?:es)?|demandas?)\s(?:colectivas?|de\s(?:clase|grupo)|grupal(?:es)?))/iu;

/** Words about paying in English and Spanish. "Page" and "refund" are not among them. */
const PAYING = /(?<!\p{L})(?:pay|paid|pag[aouáó]|disburs|desembols|proceeds|fund(?:s|ed|ing)?(?!\p{L}))/iu;

/**
 * The requirements of a program that is imported into a live service, in addition to those of its sale. They depend on the day, on counsel's
 * judgment or on a document of the lender. A program that was imported before remains on sale without them, because a sign-off that
 * becomes too old must not stop a service (decisions/0076).
 */
export const importRules: readonly LiveRule<ImportContext>[] = [
  fieldRule(
    'timeZone',
    'a time zone of US states, such as America/New_York',
    '12 CFR 1026.17(c)(1)',
    // `saleRules` has a rule about UTC.
    ({ timeZone }) => timeZone === 'UTC' || US_TIME_ZONE.test(timeZone),
  ),
  fieldRule(
    'caps.maxAprBps',
    'at most 3600, 36 % per year, or counsel’s reason in `counselReasons.apr`',
    'for example 815 ILCS 123/15-5-5',
    ({ caps, counselReasons }) => caps.maxAprBps <= MAX_APR_BPS || counselReasons?.apr !== undefined,
  ),
  {
    path: 'late',
    expected:
      'late charges of at most $15 or 5 % of the payment, not the sum of both, or counsel’s reason in `counselReasons.lateCharge`',
    citation: 'for example Cal. Fin. Code § 22320.5, U.C.C.C. § 2.502',
    find: (program) => (program.counselReasons?.lateCharge === undefined ? highLateCharges(program) : []),
  },
  {
    path: 'states.reviews.*.on',
    expected: 'sign-offs of the last 24 months, and no later day than today',
    citation: 'the law of the states',
    find: (program, { today }) =>
      program.states.reviews.flatMap(({ on }, index) =>
        addMonths(today, -REVIEW_MONTHS) <= on && on <= today ? [] : [at(program, `states.reviews.${index}.on`)],
      ),
  },
  {
    path: 'states.reviews.*.firm',
    expected: 'the law firm or the bar number (`barNumber`) of the counsel who signed off',
    citation: 'the law of the states',
    find: (program) =>
      program.states.reviews.flatMap(({ firm, barNumber }, index) =>
        firm === undefined && barNumber === undefined ? [at(program, `states.reviews.${index}.firm`)] : [],
      ),
  },
  {
    path: 'tiers.*.representativeShare',
    expected: `the share of approved buyers in each advertised tier, at least ${MIN_REPRESENTATIVE_SHARE}, because only rates that are actually available may be advertised`,
    citation: '12 CFR 1026.24(a), comment 24(d)(2)-5',
    find: (program) =>
      program.tiers.flatMap(({ advertise, representativeShare = 0 }, index) =>
        advertise && representativeShare < MIN_REPRESENTATIVE_SHARE ? [at(program, `tiers.${index}.representativeShare`)] : [],
      ),
  },
  {
    path: 'lender.privacyNotice.sha256',
    expected:
      'the SHA-256 of the document at the address of the privacy notice, which `program check` and `program import` fetch',
    citation: '12 CFR 1016.4(a)(1)',
    find: ({ lender: { privacyNotice } }, { notice }) => {
      if (!privacyNotice || !notice) return [];
      if ('failure' in notice) return [{ path: 'lender.privacyNotice.url', received: `no document: ${notice.failure}` }];
      if (notice.sha256 === privacyNotice.sha256) return [];
      const received = `"${privacyNotice.sha256}" for a document with ${notice.sha256}`;
      return [{ path: 'lender.privacyNotice.sha256', received }];
    },
  },
  {
    path: 'documents.coveredBorrower.en.sections',
    expected:
      'an agreement for covered borrowers without words about arbitration, waivers and class actions, or counsel’s reason in `counselReasons.coveredBorrower`',
    citation: '10 USC 987(e)(2), (e)(3), (f)(4), 32 CFR 232.8(b), (c)',
    find: ({ counselReasons, documents: { coveredBorrower } }) =>
      counselReasons?.coveredBorrower === undefined
        ? offendingTexts(coveredBorrower, 'documents.coveredBorrower', (text) => PROHIBITED_FOR_COVERED.exec(text)?.[0])
        : [],
  },
  {
    path: 'schedule.interestFrom',
    expected:
      '{startOfInterest}, the sentence about the start of interest, in each agreement and language, unless interest starts with the signature',
    citation: '12 CFR 1026.17(c)(1), (c)(2)(i)',
    find: ({ documents, schedule }) =>
      schedule.interestFrom === 'signature'
        ? []
        : agreementsOf(documents)
            .filter(([, text]) => !JSON.stringify(text).includes('{startOfInterest}'))
            .map(([path]) => ({ path, received: 'none' })),
  },
  {
    path: 'documents.agreement.en.sections.*.paragraphs',
    expected:
      'no {date}, the day of the signature, in a sentence about paying, because the lender pays when the order is settled',
    citation: '12 CFR 1026.17(c)(1), (c)(2)(i), 12 USC 5531',
    find: ({ documents }) => agreementsOf(documents).flatMap(([path, text]) => offendingTexts(text, path, datedPaymentIn)),
  },
];

function highLateCharges(program: Program): Violation[] {
  const { states, ...general } = program.late;
  const charges = [
    ['late', general] as const,
    ...Object.entries(states).map(([state, charge]) => [`late.states.${state}`, charge] as const),
  ];
  return charges.flatMap(([path, { flatCents, percentBps, combine }]) => {
    const isSum = combine === 'sum' && flatCents > 0 && percentBps > 0;
    return flatCents > MAX_LATE_FLAT_CENTS || percentBps > MAX_LATE_BPS || isSum ? [at(program, path)] : [];
  });
}

function offendingTexts(value: unknown, path: string, offending: (text: string) => string | undefined): Violation[] {
  return textsOf(value, path).flatMap(([textPath, text]) => {
    const found = offending(text);
    return found === undefined ? [] : [{ path: textPath, received: JSON.stringify(shortened(found)) }];
  });
}

/** Returns the first sentence about paying on the day of the signature. The period of an initial does not end a sentence. */
function datedPaymentIn(text: string): string | undefined {
  const sentences = text.split(/(?<=(?<!(?<!\p{L})\p{Lu})[.!?;][”"’)]?)\s/u);
  return sentences.find((sentence) => sentence.includes('{date}') && PAYING.test(sentence.replace(/\{\w+\}/g, '')));
}
