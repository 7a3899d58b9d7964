import { script } from './script.ts';
import { english, type Texts } from './texts/english.ts';

/** How an element speaks. */
export interface Language {
  /** BCP 47 tag of the texts and of how amounts, rates and terms are written: `fr-ca`. */
  locale: string;
  /** English while others are on their way, for seconds at most. */
  texts: Texts;
  isComing: boolean;
}

/** The texts this page has, and those on their way. Any number of elements make one request for a language. */
const known: Record<string, Texts | Promise<void>> = { en: english };

/**
 * The language of an element: that of the nearest `lang` around it, its own first. English if there are no texts in it, or they
 * do not come.
 *
 * @param follower - Called when texts that are on their way have come.
 */
export function languageOf(element: Element, follower: () => void): Language {
  // Where no region is named it is that of the programs, which matters in Spanish: Spain writes numbers another way.
  const lang = `${langAround(element).replaceAll('_', '-')}-us`.toLowerCase();
  const [, language = 'en', region = 'us'] = /^(ar|de|en|es|fr|he|it|ja|ko|nl|pl|pt|sv|zh)\b.*?-([a-z]{2})\b/.exec(lang) ?? [];
  const tag = /^zh-(?!hans).*(hant|tw|hk|mo)/.test(lang) ? 'zh-Hant' : language;

  const texts = (known[tag] ??= load(tag));
  const isComing = texts instanceof Promise;
  if (isComing) void texts.then(follower);
  return { locale: `${texts === english ? 'en' : tag}-${region}`, texts: isComing ? english : texts, isComing };
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

async function load(tag: string): Promise<void> {
  let texts = english;
  try {
    const answer = await fetch(new URL(`texts/${tag}.json`, script), { credentials: 'omit', signal: AbortSignal.timeout(3_000) });
    const claimed: Record<string, unknown> = await answer.json();
    // An answer that is something else altogether leaves everything in English, the numbers too.
    if (claimed['estimate']) {
      texts = { ...english };
      for (const key in claimed) if (typeof claimed[key] === 'string') Reflect.set(texts, key, claimed[key]);
    }
  } catch {
    // English stands in.
  }
  known[tag] = texts;
}
