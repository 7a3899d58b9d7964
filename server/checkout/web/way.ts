import type { Language } from '../../../shared/disclosure/texts.ts';
import type { Display } from './display.ts';
import type { FormStepName } from '../session/progress.ts';

export const LANGUAGES = ['en', 'es'] as const satisfies readonly Language[];

/** What can be opened or posted below a checkout's address; empty for the address itself, which leads to the step reached. */
export type Place = '' | FormStepName | 'restart' | 'card/return' | 'check' | 'cancel' | 'extend';

/** Forms that take personal data: the checkout continues under a secret that only the answer to them names. */
const RENEWING: readonly Place[] = ['details', 'restart', 'apply'];

/** How a buyer goes through one checkout. Every link, form and redirect of its pages is an address that this made. */
export interface Way {
  /** Of the cart's link. */
  code: string;
  /** Of the browser's session; undefined at the link itself. */
  secret: string | undefined;
  lang: Language;
  display: Display;
  /** The address of a place, with the language and the display that the buyer has. */
  to(place?: Place): string;
  /** What a form that is posted to a place carries, to be recognized. Empty on a way that nothing is shown along. */
  seal(place: Place): FormSeal;
  /** The same way in another language. */
  in(lang: Language): Way;
  /** The address of a place at the cart's link, outside of every session. */
  toLink(place?: Place): string;
}

/** The hidden fields of a form. */
export interface FormSeal {
  formToken: string;
  /** The secret that the checkout continues under once the form is accepted; empty where it stays as it is. */
  nextSecret: string;
}

type Start = Pick<Way, 'code' | 'lang' | 'display'> & { secret?: string | undefined; seal?: Way['seal'] | undefined };

/**
 * A way leads nowhere but below its own link: a code that no cart can have becomes one that none has.
 *
 * @param kind - What the link is to: `c` a checkout, `a` an agreement.
 */
export function wayAlong({ code, secret, lang, display, seal = unsealed }: Start, kind: 'c' | 'a' = 'c'): Way {
  const link = `/${kind}/${/^[\w-]{1,100}$/.test(code) ? code : '-'}`;
  const session = secret === undefined ? link : `${link}/${secret}`;
  const query = new URLSearchParams({ lang, ...(display !== 'page' && { display }) }).toString();
  return {
    code,
    secret,
    lang,
    display,
    to: (place = '') => `${session}${place && `/${place}`}?${query}`,
    toLink: (place = '') => `${link}${place && `/${place}`}?${query}`,
    seal,
    in: (other) => wayAlong({ code, secret, lang: other, display, seal }, kind),
  };
}

const unsealed = (): FormSeal => ({ formToken: '', nextSecret: '' });

/** Whether the checkout continues under another secret after a form that was posted to a place. */
export function isRenewing(place: string): boolean {
  return (RENEWING as readonly string[]).includes(place);
}

/** The one of `choices` that an address or a row names; undefined when it names none of them. */
export function oneOf<T extends string>(choices: readonly T[], named: unknown): T | undefined {
  return choices.find((choice) => choice === named);
}
