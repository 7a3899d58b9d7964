import { widget as english, type WidgetTexts } from '../shared/languages/en/widget.ts';
import type { Language as Tag } from '../shared/languages/index.ts';

/** The texts in languages other than English, which are loaded when a page needs them. */
export const translations: Record<Exclude<Tag, 'en'>, () => Promise<WidgetTexts>> = {
  es: () => import('../shared/languages/es/widget.ts'),
};

/** Time for which a placeholder is shown while texts are loading. After that, the texts are English. */
const LOAD_TIMEOUT_MS = 3_000;

/** The language of an element. */
export interface Language {
  /** BCP 47 tag of the texts and of the format of amounts, rates and terms. */
  locale: string;
  texts: WidgetTexts['widget'];
  /** All texts of a language other than English. A file of an older release may lack some. */
  translation?: Partial<WidgetTexts>;
  /** Set while the texts are loading. Meanwhile, the texts are English. */
  loading?: Promise<void> | undefined;
}

/** Languages by `lang` attribute, and whether the program is offered in it. */
const languages = new Map<string, Language>();

/**
 * Returns the language of an element: that of the nearest `lang` attribute, starting with its own. English is used for
 * languages without texts and for texts that cannot be loaded.
 *
 * @param onLoad - Called when texts that are still loading have loaded or failed.
 * @param offered - The languages of the lender's agreement, once the program has loaded. English replaces others.
 */
export function languageOf(element: Element, onLoad: () => void, offered?: readonly string[]): Language {
  const lang = closestLang(element);
  const tag = lang.toLowerCase().split(/[-_]/, 1)[0]!;
  // The document of another release may have another value.
  const isOffered = offered?.includes?.(tag) ?? true;
  const key = lang + isOffered;
  let language = languages.get(key);
  if (!language) {
    const region = regionOf(lang);
    languages.set(key, (language = { locale: `en-${region}`, texts: english }));
    if (isOffered && hasTexts(tag)) language.loading = load(language, tag, region);
  }
  void language.loading?.then(onLoad);
  return language;
}

function hasTexts(tag: string): tag is keyof typeof translations {
  return Object.hasOwn(translations, tag);
}

/** Formats a number of months: `months(24, 'es')` is `24 meses`. */
export function months(count: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'month', unitDisplay: 'long' }).format(count);
}

function closestLang(element: Element | undefined): string {
  return element
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a root that is not a shadow root has no host
      (element.closest('[lang]')?.getAttribute('lang') ?? closestLang((element.getRootNode() as ShadowRoot).host))
    : '';
}

/**
 * Returns the region for number formats. If the page does not name one, it is the US, where the programs are offered. This matters for
 * Spanish: Spain formats numbers differently.
 */
function regionOf(lang: string): string {
  try {
    return new Intl.Locale(lang.replaceAll('_', '-')).region ?? 'US';
  } catch {
    return 'US';
  }
}

async function load(language: Language, tag: keyof typeof translations, region: string): Promise<void> {
  try {
    const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, LOAD_TIMEOUT_MS));
    const translation = await Promise.race([translations[tag](), timeout]);
    // After the timeout there is no translation, so this throws.
    Object.assign(language, { locale: `${tag}-${region}`, texts: { ...english, ...translation!.widget }, translation });
  } catch {
    // The language remains English.
  }
  language.loading = undefined;
}
