import { formatMinorUnits } from '../../../shared/money.ts';
import { parsedUrl } from '../../../shared/url.ts';
import type { FragmentQuery, Offer } from '../../../shared/wire/storefront.ts';
import type { Voice } from './words.ts';

/** What an element is made of that has its estimate with it. */
export interface Fragment {
  /** Its attributes and its label, their values as they were asked for. */
  query: FragmentQuery;
  apiKey: string;
  /** Base address of the service. */
  service: string;
  /** Address of the style sheet of the shadow root. */
  stylesheet: string;
  voice: Voice;
  /** What its attribute `offer` holds. */
  offer: Offer;
}

/**
 * A `<financing-button>` that is readable before its script runs, and without one: its shadow root stands in the markup.
 *
 * The root is what the element would draw of the same offer. The link beside it is for browsers that know no such markup.
 */
export function fragmentMarkup(fragment: Fragment): string {
  const { query, apiKey, service, stylesheet, voice, offer } = fragment;
  const { amount, program, lang, show, mode, theme, label } = query;
  const cartUrl = query['cart-url'];
  const href = cartUrl && (parsedUrl(cartUrl)?.href ?? cartUrl);
  const attributes = { 'api-key': apiKey, service, amount, program, 'cart-url': href, lang, show, mode, theme };
  const written = Object.entries(attributes).map(
    ([name, value]) => value !== undefined && value !== '' && ` ${name}="${escaped(value)}"`,
  );
  const fallback =
    href && show !== 'estimate' ? `<a slot="fallback" href="${escaped(href)}">${escaped(label ?? voice.words.label)}</a>` : '';
  return joined(
    '<financing-button',
    ...written,
    ` offer='${escaped(JSON.stringify(offer), /[&<']/g)}'>`,
    `<template shadowrootmode="open"><link rel="stylesheet" href="${escaped(stylesheet)}">${shadow(fragment, href)}</template>`,
    label && escaped(label),
    fallback,
    '</financing-button>',
  );
}

/** Renders the same shadow root as `render()` in `widget/financing-button.ts`, which a test compares. */
function shadow({ query, voice, offer }: Fragment, href: string | undefined): string {
  const { words, locale } = voice;
  const { quote, currency, language } = offer;
  const { show = '', label } = query;
  const state = quote.monthly ? 'quoted' : 'unavailable';
  const [before = '', after = ''] = words.estimate.split('{amount}');
  const price = quote.monthly && formatMinorUnits(quote.monthly, currency, locale);
  return joined(
    `<div class="${state} ${show}" lang="${escaped(locale)}" dir="${escaped(words.dir)}"><section>`,
    show !== 'button' && '<p part="estimate" id="estimate"><slot name="logo"></slot>',
    show !== 'button' && price && `${escaped(before)}<strong>${escaped(price)}</strong>${escaped(after)}`,
    show !== 'button' && '</p>',
    show !== 'estimate' && href && `<a part="button" href="${escaped(href)}" aria-describedby="estimate disclosure">`,
    show !== 'estimate' && href && `<slot name="${label ? '' : 'none'}">${escaped(words.label)}</slot></a>`,
    show !== 'button' && `<button part="details-button">${escaped(words.more)}</button>`,
    '</section>',
    show !== 'button' && '<p part="disclosure" id="disclosure" ',
    show !== 'button' && `lang="${escaped(language)}" dir="ltr"><span>${escaped(quote.asLowAsText)}</span></p>`,
    '<span role="status"></span></div>',
  );
}

const joined = (...pieces: (string | number | false | undefined)[]): string => pieces.filter(Boolean).join('');

const escaped = (value: string | number, special = /[&<>"']/g): string =>
  String(value).replace(special, (character) => `&#${character.charCodeAt(0)};`);
