import { dynamic, enums, object, type Struct } from 'superstruct';
import type { Translated } from '../languages/index.ts';
import { annotate, type AnyStruct } from '../wire/annotations.ts';
import { line } from '../wire/fields.ts';
import { translated } from '../wire/structs.ts';

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

/** A reason in the lender's own words. */
export const ReasonText = object({ text: translated(line(200, 1)) });
export type ReasonText = { text: Translated<string> };

const Code = enums([...REASON_CODES]);

/** A specific reason of a denial: a code, or the lender's own words. */
export const SpecificReason: Struct<ReasonCode | ReasonText, null> = annotate(
  dynamic<ReasonCode | ReasonText>((value): AnyStruct => (typeof value === 'string' ? Code : ReasonText)),
  { kind: 'any', of: [Code, ReasonText] },
);
