import { english } from '../languages/en/disclosure.ts';
import { spanish } from '../languages/es/disclosure.ts';
import type { DisclosureTexts } from './texts.ts';
import type { Language } from '../languages/index.ts';

/** The disclosure texts by language code. */
export const languages: Record<Language, DisclosureTexts> = { en: english, es: spanish };
