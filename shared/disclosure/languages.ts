import { english } from './english.ts';
import { spanish } from './spanish.ts';
import type { DisclosureTexts, Language } from './texts.ts';

/** Every language there are texts in, by its code. */
export const languages: Record<Language, DisclosureTexts> = { en: english, es: spanish };
