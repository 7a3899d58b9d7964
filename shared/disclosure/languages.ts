import { english } from './english.ts';
import { spanish } from './spanish.ts';
import type { DisclosureTexts } from './texts.ts';
import type { Language } from '../languages.ts';

/** The disclosure texts by language code. */
export const languages: Record<Language, DisclosureTexts> = { en: english, es: spanish };
