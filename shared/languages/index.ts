import { keysOf } from '../objects.ts';
import * as en from './en/index.ts';
import * as es from './es/index.ts';
import type { DisclosureTexts } from './texts.ts';

/**
 * The texts of disclosures, the checkout and e-mails by language. To add a language, copy the folder of another, translate it, and add a
 * line here; the compiler reports what is missing. The widget loads its texts when a page needs them, and lists them in `language.ts`.
 */
export const languages = { en, es };
export type Language = keyof typeof languages;

export const LANGUAGES: readonly Language[] = keysOf(languages);

/** Returns a value for each language. */
export function inEachLanguage<T>(make: (language: Language) => T): Record<Language, T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `LANGUAGES` has all keys
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T>;
}

export const disclosureTexts: Record<Language, DisclosureTexts> = inEachLanguage((language) => languages[language].disclosure);

/** A text of others, such as a lender, which was written before a language was added. */
export type Translated<T> = { en: T } & { [Other in Language]?: T | undefined };

/** Returns a text in a language, or in English if it has no translation. */
export function inLanguage<T>(text: Translated<T>, language: Language): T {
  return text[language] ?? text.en;
}
