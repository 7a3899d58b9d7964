/**
 * Languages of the checkout, its emails, the disclosures and the texts of programs. To add one, add its tag here. The compiler
 * then reports every table that needs texts in it.
 */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns the language of a BCP 47 tag, `es-MX`, or English if there are no texts in it. */
export function languageOf(tag: string): Language {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0];
  return LANGUAGES.find((language) => language === primary) ?? 'en';
}

/** Returns a value for each language. */
export function inEachLanguage<T>(make: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T>;
}
