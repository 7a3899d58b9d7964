import { languageTag } from '../shared/language-tag.ts';
import { fetchTexts } from './texts/fetch-texts.ts';
import type { Texts } from './texts/english.ts';

/** Those that have a file. */
const TAGS = new Set(['ar', 'de', 'es', 'fr', 'he', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'sv', 'zh', 'zh-Hant']);

/** By tag, so that a page asks once for a language, whatever its regions. */
const asked = new Map<string, Promise<Texts>>();

/**
 * Everything about languages other than plain English; a part, loaded by pages that speak one.
 *
 * @param lang - What a page calls its language, whatever that is.
 * @returns The language and its texts; English in that region when there are none, or they cannot be had. Never rejects.
 */
export async function languageFor(lang: string, english: Texts): Promise<{ locale: string; texts: Texts }> {
  const { tag, region } = languageTag(lang, (named) => TAGS.has(named));
  let texts = tag === 'en' ? english : undefined;
  try {
    texts ??= await (asked.get(tag) ?? ask(tag, english));
  } catch {
    asked.delete(tag);
  }
  return texts ? { locale: `${tag}-${region}`, texts } : { locale: `en-${region}`, texts: english };
}

function ask(tag: string, english: Texts): Promise<Texts> {
  const asking = fetchTexts(tag).then((claimed) => taken(claimed, english));
  asked.set(tag, asking);
  return asking;
}

/**
 * Takes every string, and English for what is missing.
 *
 * @throws TypeError - when `claimed` is something else altogether.
 */
function taken(claimed: unknown, english: Texts): Texts {
  const strings = Object.entries(Object(claimed)).filter(([, text]) => typeof text === 'string');
  const texts = Object.assign({ ...english }, Object.fromEntries(strings));
  if (texts.estimate === english.estimate) throw new TypeError('No texts');
  return texts;
}
