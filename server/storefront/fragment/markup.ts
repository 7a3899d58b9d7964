import { languageTag } from '../../../shared/languages/index.ts';
import { formatMinorUnits } from '../../../shared/money.ts';
import { parseUrl } from '../../../shared/url.ts';
import type { FragmentQuery, Offer } from '../../../shared/wire/storefront.ts';
import type { Release } from '../../widget-files/release.ts';

/** Values of a server-rendered element. */
export interface Fragment {
  /** Requested attributes and label. */
  query: FragmentQuery;
  apiKey: string;
  /** Base URL of the service. */
  service: string;
  /** URL of the style sheet of the shadow root. */
  stylesheet: string;
  texts: LocalizedTexts;
  /** Value of the attribute `offer`. */
  offer: Offer;
}

/**
 * Renders a `<financing-button>` with a declarative shadow root, which browsers show without its script.
 *
 * The shadow root is the same as that of the element. The fallback link is for browsers without declarative shadow roots.
 */
export function fragmentMarkup(fragment: Fragment): string {
  const { query, apiKey, service, stylesheet, texts, offer } = fragment;
  const { amount, program, lang, show, mode, theme, label } = query;
  const cartUrl = query['cart-url'];
  const href = cartUrl && (parseUrl(cartUrl)?.href ?? cartUrl);
  const attributes = { 'api-key': apiKey, service, amount, program, 'cart-url': href, lang, show, mode, theme };
  const attributeList = Object.entries(attributes).map(
    ([name, value]) => value !== undefined && value !== '' && ` ${name}="${escapeHtml(value)}"`,
  );
  const fallback =
    href && show !== 'estimate'
      ? `<a slot="fallback" href="${escapeHtml(href)}">${escapeHtml(label ?? texts.texts.label)}</a>`
      : '';
  return concat(
    '<financing-button',
    ...attributeList,
    ` offer='${escapeHtml(JSON.stringify(offer), /[&<']/g)}'>`,
    `<template shadowrootmode="open"><link rel="stylesheet" href="${escapeHtml(stylesheet)}">${shadow(fragment, href)}</template>`,
    label && escapeHtml(label),
    fallback,
    '</financing-button>',
  );
}

/** Renders the same shadow root as `render()` in `widget/financing-button.ts`. A test compares them. */
function shadow({ query, texts: localized, offer }: Fragment, href: string | undefined): string {
  const { texts, locale } = localized;
  const { quote, currency, language } = offer;
  const { show = '', label } = query;
  const state = quote.monthly ? 'quoted' : 'unavailable';
  const [before = '', after = ''] = texts.estimate.split('{amount}');
  const price = quote.monthly && formatMinorUnits(quote.monthly, currency, locale);
  return concat(
    `<div class="${state} ${show}" lang="${escapeHtml(locale)}" dir="${escapeHtml(texts.dir)}"><section>`,
    show !== 'button' && '<p part="estimate" id="estimate"><slot name="logo"></slot>',
    show !== 'button' && price && `${escapeHtml(before)}<strong>${escapeHtml(price)}</strong>${escapeHtml(after)}`,
    show !== 'button' && '</p>',
    show !== 'estimate' && href && `<a part="button" href="${escapeHtml(href)}" aria-describedby="estimate disclosure">`,
    show !== 'estimate' && href && `<slot name="${label ? '' : 'none'}">${escapeHtml(texts.label)}</slot></a>`,
    show !== 'button' && `<button part="details-button">${escapeHtml(texts.more)}</button>`,
    '</section>',
    show !== 'button' && '<p part="disclosure" id="disclosure" ',
    show !== 'button' && `lang="${escapeHtml(language)}" dir="ltr"><span>${escapeHtml(quote.asLowAsText)}</span></p>`,
    '<span role="status"></span></div>',
  );
}

const concat = (...pieces: (string | number | false | undefined)[]): string => pieces.filter(Boolean).join('');

const escapeHtml = (value: string | number, special = /[&<>"']/g): string =>
  String(value).replace(special, (character) => `&#${character.charCodeAt(0)};`);

/** Texts in the server-rendered shadow root. */
interface Texts {
  dir: string;
  label: string;
  estimate: string;
  more: string;
}

/** Texts, and the BCP 47 tag for formatting amounts. */
export interface LocalizedTexts {
  texts: Texts;
  locale: string;
}

/** Reads the texts of a release. Returns a function that selects the texts for the language of a page. */
export function localizedTexts({ files }: Release): (lang: string) => LocalizedTexts {
  const byTag = new Map<string, Partial<Texts>>();
  for (const { name, content } of files) {
    const tag = /^texts\/([\w-]+)\.json$/.exec(name)?.[1];
    if (tag) byTag.set(tag, JSON.parse(content) as Partial<Texts>);
  }
  return (lang) => {
    const english = byTag.get('en');
    if (!english) throw new Error('The widget was built without its English texts');
    const { tag, region } = languageTag(lang, (named) => byTag.has(named));
    return { locale: `${tag}-${region}`, texts: { ...(english as Texts), ...byTag.get(tag) } };
  };
}
