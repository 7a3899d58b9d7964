import type { Texts } from './en.ts';

/**
 * The languages of the element besides English, by BCP 47 tag. To add a language, add a file with its texts and a line here.
 */
export const translations: Record<string, () => Promise<{ default: Texts }>> = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  he: () => import('./he.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  sv: () => import('./sv.ts'),
  zh: () => import('./zh.ts'),
  'zh-Hant': () => import('./zh-Hant.ts'),
};
