import { languageTag } from '../../../shared/languages.ts';
import type { Release } from '../../widget-files/release.ts';

/** What the element says, as far as its shadow root says it before a script runs. */
export interface Words {
  dir: string;
  label: string;
  estimate: string;
  more: string;
}

/** How an element speaks: its words, and the BCP 47 tag of how it writes amounts. */
export interface Voice {
  words: Words;
  locale: string;
}

/** Reads the words of a release. @returns What says how an element speaks whose page says `lang`. */
export function voicesOf({ files }: Release): (lang: string) => Voice {
  const byTag = new Map<string, Partial<Words>>();
  for (const { name, content } of files) {
    const tag = /^texts\/([\w-]+)\.json$/.exec(name)?.[1];
    if (tag) byTag.set(tag, JSON.parse(content) as Partial<Words>);
  }
  return (lang) => {
    const english = byTag.get('en');
    if (!english) throw new Error('The widget was built without its English texts');
    const { tag, region } = languageTag(lang, (named) => byTag.has(named));
    return { locale: `${tag}-${region}`, words: { ...(english as Words), ...byTag.get(tag) } };
  };
}
