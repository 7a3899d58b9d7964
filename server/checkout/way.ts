import type { Language } from '../../shared/disclosure/texts.ts';
import type { Display } from './display.ts';
import type { FormStepName } from './steps.ts';

export const LANGUAGES = ['en', 'es'] as const satisfies readonly Language[];

/** What can be opened or posted below a checkout link; empty for the link itself, which leads to the step reached. */
export type Place = '' | FormStepName | 'card/return' | 'check' | 'cancel' | 'extend' | `notice/${string}`;

/** How a buyer goes through one checkout. Every link, form and redirect of its pages is an address that this made. */
export interface Way {
  code: string;
  lang: Language;
  display: Display;
  /** The address of a place, with the language and the display that the buyer has. */
  to(place?: Place): string;
  /** What a form that is posted to a place carries, to be known again as ours. Empty on a way that nothing is shown along. */
  token(place: Place): string;
  /** The same way in another language. */
  in(lang: Language): Way;
}

/**
 * A way leads nowhere but below its own link: a code that no cart can have becomes one that none has.
 *
 * @param kind - What the link is to: `c` a checkout, `a` an agreement.
 */
export function wayAlong(
  { code, lang, display, token = () => '' }: Pick<Way, 'code' | 'lang' | 'display'> & Partial<Pick<Way, 'token'>>,
  kind: 'c' | 'a' = 'c',
): Way {
  const link = `/${kind}/${/^[\w-]{1,100}$/.test(code) ? code : '-'}`;
  const query = new URLSearchParams({ lang, ...(display !== 'page' && { display }) }).toString();
  return {
    code,
    lang,
    display,
    to: (place = '') => `${link}${place && `/${place}`}?${query}`,
    token,
    in: (other) => wayAlong({ code, lang: other, display, token }, kind),
  };
}

/** The one of `choices` that an address or a row names; undefined when it names none of them. */
export function oneOf<T extends string>(choices: readonly T[], named: unknown): T | undefined {
  return choices.find((choice) => choice === named);
}
