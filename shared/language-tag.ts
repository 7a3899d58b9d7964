/**
 * Which of some languages a page means, and for which region numbers are written.
 *
 * Where no region is named it is that of the programs. That matters in Spanish: Spain writes numbers another way.
 *
 * @param lang - What a page calls its language, whatever that is: `fr-CA`, `pt_BR`, `Klingon`.
 * @param has  - Whether there are texts under a tag; English there always is.
 * @returns The tag of the texts, and the region that numbers are written for.
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
