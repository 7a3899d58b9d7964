import type { Language } from '../../shared/languages/index.ts';
import type { Texts } from './en.ts';

/** The texts in languages other than English, which are loaded when a page needs them. */
export const translations: Record<Exclude<Language, 'en'>, () => Promise<{ default: Texts }>> = {
  es: () => import('./es.ts'),
};
