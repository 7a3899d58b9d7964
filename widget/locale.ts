/** The BCP 47 tag that a `lang` attribute means; English when it means none, since Intl throws at those. */
export function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
