import { english as texts, type Texts } from './texts/english.ts';
export interface Language {
  tag: string;
  locale: string;
  dir: string;
  texts: Texts;
}
export const english: Language = { tag: 'en', locale: 'en-US', dir: 'ltr', texts };
export const loadLanguage = (_tag: string): Promise<Language> => Promise.resolve(english);
export const tagOf = (element: Element): string => element.closest('[lang]')?.getAttribute('lang') ?? '';
export const months = (n: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'month', unitDisplay: 'long' }).format(n);
