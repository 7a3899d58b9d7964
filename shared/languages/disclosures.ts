import { english } from './en/disclosure.ts';
import { spanish } from './es/disclosure.ts';
import type { DisclosureTexts } from './texts.ts';
import type { Language } from './index.ts';

/** The disclosure texts by language code. */
export const languages: Record<Language, DisclosureTexts> = { en: english, es: spanish };
