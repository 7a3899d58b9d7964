import { readFileSync } from 'node:fs';
import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import { inLanguage, type Language } from '../../shared/languages/index.ts';
import { agreementFor } from '../../shared/programs/documents.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { Operator } from '../config/operator.ts';
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

/** In characters. A reference to a shorter text saves nothing after compression. */
const MIN_LENGTH = 10;
/** Limits the time of `replaceTexts`. */
const MAX_TEXTS = 200;

/**
 * Returns the texts that the signed documents of a program share: metadata, styles, names and addresses of companies, and what the lender's
 * agreement, notices, consents and labels contain between figures and names. None is about a buyer.
 */
export function sharedTexts(
  program: Program,
  { stateNotices, coveredBorrower }: LoanDisclosure,
  operator: Operator,
  languages: readonly Language[],
): string[] {
  const agreement = agreementFor(program.documents, coveredBorrower !== null);
  const translated = languages.map((language) => {
    const { document, tila, loan, terms, military } = texts[language];
    const consents = Object.values(agreementConsents(program, texts[language]));
    const sentences = consents.map(({ sentence, information }) => [sentence, information]);
    return [document, tila, loan, terms, military, sentences, agreement && inLanguage(agreement, language)];
  });
  const parts = stringsIn([HOLDER_NOTICE, operator, program.lender, program.servicing, stateNotices, translated])
    // Placeholders, line breaks, and characters that are escaped in HTML.
    .flatMap((text) => text.split(/\{\w+\}|\s*\n\s*|[&<>"']/))
    .filter(({ length }) => length >= MIN_LENGTH)
    .toSorted((one, other) => other.length - one.length);
  return [STYLES, METADATA, ...new Set(parts)].slice(0, MAX_TEXTS);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/**
 * Returns HTML with references instead of texts: their index between two null characters, which neither may contain. Texts must be longer
 * than an index.
 */
export function replaceTexts(html: string, shared: readonly string[]): string {
  return shared.reduce((shortened, text, index) => shortened.replaceAll(text, `\0${index}\0`), html);
}

/** Returns the HTML that `replaceTexts` has shortened. */
export function restoreTexts(shortened: string, shared: readonly string[]): string {
  return shortened.replace(/\0(\d+)\0/g, (_reference, index: string) => shared[Number(index)]!);
}
