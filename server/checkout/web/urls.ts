import type { Language } from '../../../shared/languages/index.ts';
import type { Operator } from '../../base/config/operator.ts';
import type { PageView } from '../../http/pages/page.ts';
import type { Display } from './headers.ts';

/**
 * Builds the URLs of one checkout. Every link, form and redirect of its pages is built here, with the language and display of the buyer.
 *
 * A path follows the address of the checkout: a step, `card/return`, an action such as `cancel`, or nothing.
 */
export interface CheckoutUrls {
  /** Code of the cart's link. */
  code: string;
  /** Secret of the browser's session; undefined at the link itself. */
  secret: string | undefined;
  lang: Language;
  display: Display;
  /** True if the buyer has chosen to stay on a page that leads to the shop by itself. */
  isStaying: boolean;
  /** Returns the address of a path. */
  to(path?: string): string;
  /**
   * Returns the hidden fields of a form that is posted to a path.
   *
   * @param renewsSecret - Whether the checkout continues under a new secret once the form is accepted.
   */
  signForm(path: string, renewsSecret: boolean): SignedFields;
  /** Returns the same addresses, under which no page leads to the shop by itself. */
  staying(): CheckoutUrls;
  /** Returns the same addresses in another language. */
  in(lang: Language): CheckoutUrls;
  /** Returns the address of a path at the cart's link, outside of sessions. */
  toLink(path?: string): string;
}

/** The hidden fields of a form. */
export interface SignedFields {
  formToken: string;
  /** The secret that the checkout continues under once the form is accepted; empty if it does not change. */
  nextSecret: string;
}

type Start = Pick<CheckoutUrls, 'code' | 'lang' | 'display'> & {
  isStaying?: boolean | undefined;
  secret?: string | undefined;
  signForm?: CheckoutUrls['signForm'] | undefined;
};

/**
 * Returns the addresses below one link. A code that no cart can have is replaced by `-`.
 *
 * @param kind - `c` for a checkout, `a` for an agreement, `n` for a notice, `u` for an opt-out.
 */
export function createUrls(start: Start, kind: LinkKind = 'c'): CheckoutUrls {
  const { code, secret, lang, display, isStaying = false, signForm = unsigned } = start;
  const link = `/${kind}/${/^[\w-]{1,100}$/.test(code) ? code : '-'}`;
  const session = secret === undefined ? link : `${link}/${secret}`;
  const query = new URLSearchParams({ lang, ...(display !== 'page' && { display }), ...(isStaying && { stay: '1' }) }).toString();
  return {
    code,
    secret,
    lang,
    display,
    isStaying,
    to: (path = '') => `${session}${path && `/${path}`}?${query}`,
    toLink: (path = '') => `${link}${path && `/${path}`}?${query}`,
    signForm,
    staying: () => createUrls({ ...start, isStaying: true }, kind),
    in: (other) => createUrls({ ...start, lang: other }, kind),
  };
}

export const LINK_KINDS = ['c', 'a', 'n', 'u'] as const;
type LinkKind = (typeof LINK_KINDS)[number];

const unsigned = (): SignedFields => ({ formToken: '', nextSecret: '' });

/** Returns the one of `choices` that equals `named`, or undefined. */
export function oneOf<T extends string>(choices: readonly T[], named: unknown): T | undefined {
  return choices.find((choice) => choice === named);
}

/** The companies that work for the operator. Services that are not configured receive nothing, so pages do not name them. */
export interface Providers {
  /** The company that receives cards: `Stripe`. Null for test cards, undefined if no card can be used. */
  cards: string | null | undefined;
  hasEmails: boolean;
  hasTexts: boolean;
}

/** Texts and addresses of a page of the checkout. */
export interface View extends PageView {
  urls: CheckoutUrls;
  /** Sandbox pages show that nothing is real, and test data. */
  isSandbox: boolean;
  /** The company that runs the service. */
  operator: Operator;
  providers: Providers;
}
