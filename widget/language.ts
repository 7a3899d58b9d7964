import { loadPart } from './parts.ts';
import { english, type Texts } from './texts/english.ts';

/** How an element speaks. */
export interface Language {
  /** BCP 47 tag of the texts and of how amounts, rates and terms are written. */
  locale: string;
  texts: Texts;
  /** There while this is English for want of others that are on their way, for seconds at most. */
  coming?: Promise<void> | undefined;
}

const known = new Map<string, Language>();

/**
 * The language of an element: that of the nearest `lang` around it, its own first.
 *
 * @param follower - Called when texts that are on their way have come.
 */
export function languageOf(element: Element, follower: () => void): Language {
  const lang = langAround(element);
  let language = known.get(lang);
  if (!language) {
    known.set(lang, (language = { locale: 'en-US', texts: english }));
    if (!/^(en(-us)?)?$/i.test(lang)) language.coming = learn(language, lang);
  }
  void language.coming?.then(follower);
  return language;
}

/** `months(24, 'es')` is `24 meses`. */
export function months(count: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'month', unitDisplay: 'long' }).format(count);
}

function langAround(element: Element | undefined): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is no shadow root has no host
  return element
    ? (element.closest('[lang]')?.getAttribute('lang') ?? langAround((element.getRootNode() as ShadowRoot).host))
    : '';
}

async function learn(language: Language, lang: string): Promise<void> {
  try {
    const part = await Promise.race([loadPart('languages'), new Promise<undefined>((resolve) => setTimeout(resolve, 3_000))]);
    Object.assign(language, await part!.languageFor(lang, english));
  } catch {
    // It stays English.
  }
  language.coming = undefined;
}
