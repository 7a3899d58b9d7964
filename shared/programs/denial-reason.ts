import { dynamic, enums, object, type Struct } from 'superstruct';
import type { Translated } from '../languages/index.ts';
import { annotate, type AnyStruct } from '../wire/annotations.ts';
import { line } from '../wire/fields.ts';
import { refine, translated } from '../wire/structs.ts';

/** Codes of specific reasons of a denial: those of model form C-1 in 12 CFR 1002, Appendix C, and an identity that was not verified. */
export const REASON_CODES = [
  'income',
  'debt',
  'identity',
  'no-file',
  'insufficient-file',
  'incomplete-application',
  'insufficient-references',
  'unacceptable-references',
  'unverified-references',
  'irregular-employment',
  'unverified-employment',
  'length-of-employment',
  'unverified-income',
  'length-of-residence',
  'temporary-residence',
  'unverified-residence',
  'performance-with-us',
  'delinquency',
  'collection-or-judgment',
  'garnishment',
  'foreclosure',
  'bankruptcy',
  'recent-inquiries',
  'collateral',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** Texts in English and Spanish that name no reason: the standards of the lender, or a score that was not reached. */
const UNSPECIFIC =
  /(?<!\p{L})(?:internal (?:standard|polic|criteri|guideline|requirement)\p{L}*|(?:qualifying|minimum|required) (?:credit )?score|(?:normas?|pol[ií]ticas?|criterios?|requisitos?|est[aá]ndares?) intern[ao]s?|(?:puntaje|puntuaci[oó]n)(?: de cr[eé]dito)? (?:de calificaci[oó]n|requerid[ao]|m[ií]nim[ao]))(?!\p{L})/iu;

/** @see 12 CFR 1002.9(b)(2): such statements are insufficient. */
const SpecificLine = refine(line(200, 1), 'a reason other than internal standards or a score', (text) => !UNSPECIFIC.test(text));

/** A reason in the lender's own words. */
export const ReasonText = object({ text: translated(SpecificLine) });
export type ReasonText = { text: Translated<string> };

const Code = enums([...REASON_CODES]);

/** A specific reason of a denial: a code, or the lender's own words. */
export const SpecificReason: Struct<ReasonCode | ReasonText, null> = annotate(
  dynamic<ReasonCode | ReasonText>((value): AnyStruct => (typeof value === 'string' ? Code : ReasonText)),
  { kind: 'any', of: [Code, ReasonText] },
);
