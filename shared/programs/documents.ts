import { array, enums, type Infer, object, type Struct } from 'superstruct';
import { inEachLanguage, type Language, LANGUAGES } from '../languages/index.ts';
import { annotate } from '../wire/annotations.ts';
import { line, text } from '../wire/fields.ts';
import { defaulted, optional, refine, size } from '../wire/structs.ts';

/** The figures and names that replace placeholders such as `{lender}` in an agreement. They are those of the disclosure. */
export const AGREEMENT_PLACEHOLDERS = [
  'lender',
  'merchant',
  'buyer',
  'date',
  'amountFinanced',
  'principal',
  'downPayment',
  'dueToday',
  'apr',
  'interestRate',
  'financeCharge',
  'totalOfPayments',
  'paymentCount',
  'payment',
  'lastPayment',
  'firstDue',
  'lastDue',
  'lateCharge',
  'fees',
  'firstPayment',
  'oddDaysInterest',
  'startOfInterest',
] as const;
export type AgreementPlaceholder = (typeof AGREEMENT_PLACEHOLDERS)[number];

const PLACEHOLDERS_IN_BRACES: string[] = AGREEMENT_PLACEHOLDERS.map((name) => `{${name}}`);
const PLACEHOLDER = String.raw`\{(?:${AGREEMENT_PLACEHOLDERS.join('|')})\}`;

/** Text of an agreement without spaces at its ends. Braces are only those of placeholders, so that a misspelled placeholder is rejected. */
function agreementString(lines: 'one-line' | 'lines', maxLength: number): Struct<string, null> {
  const struct = refine(lines === 'lines' ? text(maxLength, 1) : line(maxLength, 1), 'placeholders', (value) => {
    if (value.trim() !== value) return 'Expected no leading or trailing spaces, but received some';
    const unknown = value.match(/\{[^{}]*\}|[{}]/g)?.find((found) => !PLACEHOLDERS_IN_BRACES.includes(found));
    return (
      unknown === undefined ||
      `Expected one of the placeholders ${PLACEHOLDERS_IN_BRACES.join(', ')}, but received ${JSON.stringify(unknown)}`
    );
  });
  // The same rules as a pattern, for the published schema.
  const controls = lines === 'lines' ? String.raw`\x00-\x08\x0b\x0c\x0e-\x1f\x7f` : String.raw`\x00-\x08\x0a-\x1f\x7f`;
  const end = String.raw`(?:[^\s{}\x00-\x1f\x7f]|${PLACEHOLDER})`;
  const pattern = `^${end}(?:(?:[^{}${controls}]|${PLACEHOLDER})*${end})?$`;
  return annotate(struct, { kind: 'value', accepted: { type: 'string', minLength: 1, maxLength, pattern } });
}

const Paragraph = agreementString('lines', 5_000);

/** Subjects of sections that every agreement of a live program has. */
export const REQUIRED_TOPICS = ['payments', 'default', 'credit-reporting'] as const;

/** The promise to pay, and the terms in sections. `topic` is the required subject that a section covers, and `items` a list below its paragraphs. */
const AgreementText = object({
  promise: size(array(Paragraph), 1, 20),
  sections: size(
    array(
      object({
        heading: agreementString('one-line', 200),
        topic: optional(enums([...REQUIRED_TOPICS])),
        paragraphs: size(array(Paragraph), 0, 50),
        items: optional(size(array(Paragraph), 1, 50)),
      }),
    ),
    1,
    60,
  ),
});
export type AgreementText = Infer<typeof AgreementText>;

/** A lender's agreement. English replaces missing translations; a live service requires all of them. */
const Agreement = object({ ...inEachLanguage(() => optional(AgreementText)), en: AgreementText, version: line(40, 1) });
export type Agreement = Infer<typeof Agreement>;

/**
 * The lender's agreements. `coveredBorrower` replaces `agreement` for servicemembers and their dependents, because 32 CFR 232.8
 * prohibits some terms, such as arbitration. A program without agreements is sold only in the sandbox, with the sample agreements.
 */
export const Documents = defaulted(object({ agreement: optional(Agreement), coveredBorrower: optional(Agreement) }), {});

/** Returns the languages in which a buyer can sign: those that all agreements have. The sample agreements have all languages. */
export function languagesOf({ agreement, coveredBorrower }: Infer<typeof Documents>): Language[] {
  const documents = [agreement, coveredBorrower].filter((document) => document !== undefined);
  return LANGUAGES.filter((language) => documents.every((document) => document[language] !== undefined));
}

/** Returns the agreement of a buyer, if the program has one. */
export function agreementFor(documents: Infer<typeof Documents>, isCoveredBorrower: boolean): Agreement | undefined {
  return isCoveredBorrower ? documents.coveredBorrower : documents.agreement;
}
