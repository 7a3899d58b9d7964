import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Html } from '../../http/html.ts';
import { docsPage, type Site } from './layout.ts';
import { renderMarkdown, type RenderedMarkdown, sampleLanguages } from './markdown.ts';

/** Guides by reader: the last segment of the URL and the file in the repository. */
const guideFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Merchants: {
    'merchant-api': 'server/docs/merchant-api.md',
    'code-samples': 'server/docs/code-samples.md',
    sandbox: 'server/docs/sandbox.md',
    webhooks: 'server/docs/webhooks.md',
    client: 'shared/client/README.md',
  },
  'Shop pages': { button: 'widget/README.md' },
  Platforms: { 'platform-api': 'server/docs/platform-api.md' },
  Lenders: {
    programs: 'server/docs/programs.md',
    lenders: 'server/docs/lenders.md',
    compliance: 'server/docs/compliance.md',
  },
  Operators: {
    operations: 'server/docs/operations.md',
    security: 'server/docs/security.md',
    asvs: 'server/docs/asvs.md',
  },
  Contributors: { architecture: 'server/docs/architecture.md' },
};

const IMAGES = 'server/docs/images';
const pathOf = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

/** URLs of the guides by file. */
const urls = new Map(
  Object.values(guideFiles).flatMap((guides) => Object.entries(guides).map(([slug, file]) => [file, `/docs/${slug}`])),
);

export interface Guide extends RenderedMarkdown {
  reader: string;
  href: string;
  title: string;
}

/** Reads and renders every guide. */
export function loadGuides(): Guide[] {
  return Object.entries(guideFiles).flatMap(([reader, files]) =>
    Object.values(files).map((file) => {
      const rendered = renderMarkdown(readFileSync(pathOf(file), 'utf8'), (href) => urlOf(href, file));
      return { ...rendered, reader, href: urls.get(file)!, title: rendered.headings[0]!.title };
    }),
  );
}

/** Paths of the guides. */
export const guidePaths: readonly string[] = [...urls.values()];

/** Returns the URLs and files of the images in guides. */
export function guideImages(): { url: string; path: string }[] {
  return readdirSync(pathOf(IMAGES)).map((name) => ({ url: `/docs/images/${name}`, path: pathOf(`${IMAGES}/${name}`) }));
}

/** Returns the URL of a link in a guide; undefined for files that are not served. */
function urlOf(href: string, file: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  if (posix.dirname(target) === IMAGES) return `/docs/images/${posix.basename(target)}`;
  const url = urls.get(target);
  return url === undefined || anchor === undefined ? url : `${url}#${anchor}`;
}

/** Renders the page of a guide. */
export function guidePage(site: Site, guides: readonly Guide[], { title, href, headings, languages, html: text }: Guide): Html {
  const children = headings
    .filter(({ level }) => level === 2)
    .map((heading) => ({ href: `#${heading.id}`, title: heading.title }));
  const contents = byReader(guides).map(([reader, all]) => ({
    title: reader,
    children: all.map((guide) => ({
      href: guide.href,
      title: guide.title,
      ...(guide.href === href && { isCurrent: true, children }),
    })),
  }));
  const languageSelection = html`<fieldset class="languages">
    <legend class="visually-hidden">Language of the samples</legend>
    ${languages.map(
      (language, index) =>
        html`<label>
          <input type="radio" name="language" value="${language}" ?checked=${index === 0} />
          ${sampleLanguages[language]}
        </label>`,
    )}
  </fieldset>`;
  const main = html`${languages.length > 0 ? languageSelection : nothing}
    <div class="guide">${unsafeHTML(text)}</div>`;
  return docsPage(site, { title, contents, main });
}

/** Renders the list of all guides. */
export function guideList(site: Site, guides: readonly Guide[]): Html {
  const main = html`<h1>Guides</h1>
    ${byReader(guides).map(
      ([reader, all]) =>
        html`<section class="card">
          <h2>${reader}</h2>
          ${linkList(all.map(({ href, title, summary }) => [href, title, summary]))}
        </section>`,
    )}`;
  return docsPage(site, { title: 'Guides', main });
}

/** Renders links with descriptions. */
export function linkList(links: readonly (readonly [href: string, title: string, description: string])[]): Html {
  return html`<ul class="links">
    ${links.map(([href, title, description]) => html`<li><a href="${href}">${title}</a> <span>${description}</span></li>`)}
  </ul>`;
}

function byReader(guides: readonly Guide[]): [reader: string, guides: Guide[]][] {
  return Object.keys(guideFiles).map((reader) => [reader, guides.filter((guide) => guide.reader === reader)]);
}
