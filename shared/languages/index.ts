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

/**
 * Selects the language of the texts and the region for number formats.
 *
 * If the page does not name a region, the region is `US`, where the programs are offered. This matters for Spanish: Spain
 * formats numbers differently.
 *
 * @param lang - The page's language tag. Any string is accepted: `fr-CA`, `pt_BR`, `Klingon`.
 * @param has - Returns true if texts exist for a language tag. English texts always exist.
 * @returns The tag of the texts, and the region for number formats.
 */
export function languageTag(lang: string, has: (tag: string) => boolean): { tag: string; region: string } {
  try {
    const locale = new Intl.Locale(lang.replaceAll('_', '-'));
    const named = locale.language + (locale.maximize().script === 'Hant' ? '-Hant' : '');
    const tag = has(named) ? named : 'en';
    return { tag, region: locale.region ?? 'US' };
  } catch {
    return { tag: 'en', region: 'US' };
  }
}
