/** Every page of the checkout that is meant to be shown, by its heading. */
import { texts } from '../../server/checkout/texts/index.ts';

/** The name of a page, as the texts have it, in each language, by its heading. */
const pages = Object.fromEntries(
  Object.entries(texts).map(([language, groups]) => [
    language,
    new Map(
      Object.entries(groups)
        // Nobody means to show what is said after a fault of ours.
        .filter(([name, group]) => name !== 'trouble' && typeof group === 'object' && 'title' in group)
        .map(([name, group]) => [(group as { title: string }).title, name]),
    ),
  ]),
);

/** `details` for the heading `Your details` in English; undefined when that language has no such page. */
export function pageNamed(heading: string, language: string): string | undefined {
  return pages[language]?.get(heading);
}
