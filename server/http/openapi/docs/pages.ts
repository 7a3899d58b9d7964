import type { Mode } from '../../../base/mode.ts';
import type { Html } from '../../pages/html.ts';
import { openApiDocument } from '../document.ts';
import { guideList, guidePage, loadGuides, sectionsOf } from './guides.ts';
import { SAMPLE_URL, type Site } from './layout.ts';
import { recipeHref, recipeNames, recipePage } from './recipes.ts';
import { referencePages, referenceSections } from './reference.ts';
import type { SearchableSection } from './search.ts';

/** The pages of the documentation by their paths, and what the search finds. The address of the service in both is `SAMPLE_URL`. */
export interface Documentation {
  pages: ReadonlyMap<string, () => Html>;
  sections: readonly SearchableSection[];
}

/** Reads the documentation of a mode. */
export function readDocumentation(site: Site, mode: Mode): Documentation {
  const guides = loadGuides(mode, site.color);
  const document = openApiDocument({ mode, publicUrl: SAMPLE_URL, version: site.version });
  return {
    pages: new Map<string, () => Html>([
      ...referencePages(site, document),
      ['/docs/guides', () => guideList(site, mode, guides)],
      ...guides.map(({ href }): [string, () => Html] => [href, () => guidePage(site, guides, href)]),
      ...recipeNames.map((name): [string, () => Html] => [recipeHref(name), () => recipePage(site, name)]),
    ]),
    sections: [...guides.flatMap(sectionsOf), ...referenceSections(document)],
  };
}
