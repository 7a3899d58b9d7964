/**
 * Which of some languages a page means, and for which region numbers are written.
 *
 * Where no region is named it is that of the programs. That matters in Spanish: Spain writes numbers another way.
 *
 * @param lang - What a page calls its language, whatever that is: `fr-CA`, `pt_BR`, `Klingon`.
 * @param has  - Whether there are texts under a tag; English there always is.
 * @returns The tag of the texts, and the BCP 47 tag that numbers are written by.
 */
export function languageTag(lang: string, has: (tag: string) => boolean): { tag: string; locale: string } {
  try {
    const locale = new Intl.Locale(lang.replaceAll('_', '-'));
    const named = locale.language + (locale.maximize().script === 'Hant' ? '-Hant' : '');
    const tag = has(named) ? named : 'en';
    return { tag, locale: `${tag}-${locale.region ?? 'US'}` };
  } catch {
    return { tag: 'en', locale: 'en-US' };
  }
}
