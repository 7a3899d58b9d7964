import { fill } from '../../shared/disclosure/texts.ts';
import type { Language } from '../../shared/languages.ts';
import { isPersonName } from '../../shared/person-name.ts';

/** Long enough for nearly all full names, and too short for a message. */
const MAX_NAME = 40;

const GREETINGS: Record<Language, { named: string; unnamed: string }> = {
  en: { named: 'Hello {name},', unnamed: 'Hello,' },
  es: { named: 'Hola, {name}:', unnamed: 'Hola:' },
};

/** Returns a name that may appear in a message, or an empty string for anything but a plain name (decisions/0013). */
export function recipientName(name: string): string {
  const isSafe = isPersonName(name) && Array.from(name).length <= MAX_NAME;
  return isSafe ? name.trim() : '';
}

/** Returns the first line of an e-mail. It names the recipient if `name` is a plain name. */
export function greetingOf(name: string, language: Language): string {
  const { named, unnamed } = GREETINGS[language];
  const safeName = recipientName(name);
  return safeName === '' ? unnamed : fill(named, { name: safeName });
}
