import { readFileSync } from 'node:fs';
import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import { inLanguage, type Language } from '../../shared/languages/index.ts';
import { agreementFor } from '../../shared/programs/documents.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { Operator } from '../config/operator.ts';
import { BETWEEN_VALUES, sharable, stringsIn } from '../db/shared-texts.ts';
import { texts } from '../texts.ts';
import { agreementConsents } from './consents.ts';
import { HOLDER_NOTICE } from './loan-terms.ts';

/** Metadata of every document. */
export const METADATA = `
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />`;

/** Styles of every document. */
export const STYLES = ['../http/page.css', './document.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');

/**
 * Returns the texts that the signed documents of a program share: metadata, styles, layout, names and addresses of companies, and what the lender's
 * agreement, notices, consents and labels contain between figures and names. None is about a buyer.
 */
export function sharedTexts(
  layout: readonly string[],
  program: Program,
  { stateNotices, signatureNotices, coveredBorrower }: LoanDisclosure,
  operator: Operator,
  languages: readonly Language[],
): string[] {
  const agreement = agreementFor(program.documents, coveredBorrower !== null);
  const translated = languages.map((language) => {
    const { document, tila, loan, terms, interestStart, military } = texts[language];
    const consents = Object.values(agreementConsents(program, texts[language]));
    const sentences = consents.map(({ sentence, information }) => [sentence, information]);
    return [document, tila, loan, terms, interestStart, military, sentences, agreement && inLanguage(agreement, language)];
  });
  const strings = stringsIn([
    HOLDER_NOTICE,
    operator,
    program.lender,
    program.servicing,
    stateNotices,
    signatureNotices,
    translated,
  ]);
  return [STYLES, METADATA, ...sharable([...layout, ...strings.flatMap((text) => text.split(BETWEEN_VALUES))])];
}
