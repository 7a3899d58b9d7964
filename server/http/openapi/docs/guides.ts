import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Html } from '../../pages/html.ts';
import type { Mode } from '../../../base/mode.ts';
import type { ColorCode } from './colors.ts';
import { docsPage, type Site } from './layout.ts';
import { recipeHref, recipeNames } from './recipes.ts';
import type { SearchableSection } from './search.ts';
import { renderMarkdown, type RenderedMarkdown, type SampleLanguage, sampleLanguages } from './markdown.ts';

const IMAGES = 'server/docs/images';
const pathOf = (file: string) => fileURLToPath(new URL(`../../../../${file}`, import.meta.url));

/** A guide of the documentation. */
export interface GuideEntry {
  /** The group of readers, such as `Merchants`. */
  reader: string;
  /** Path of its page. */
  href: string;
  /** Path in the repository. */
  file: string;
  /** One sentence in the list of guides. */
  description: string;
}

/** A page below `/docs/`, its sentence in the list, and whether a live service leaves it out: it is about the sandbox or the code. */
type ListedGuide = readonly [page: string, description: string, isSandboxOnly?: true];

/** The guides by reader, in the order of the list. */
const guidesByReader: Readonly<Record<string, readonly ListedGuide[]>> = {
  Merchants: [
    ['first-hour', 'A shop with the button, from the first page to a refund, and what to check before you go live.', true],
    ['merchant-api', 'Quotes, carts, the checkout, and how to authorize, settle, cancel and refund.'],
    ['console', 'Pages for your people: sign-in, roles, settings and the team.'],
    ['settlements', 'What you are paid, less which fees, for which orders: settlements as JSON and CSV.'],
    ['code-samples', 'The calls of a purchase in curl, TypeScript, Python and PHP.'],
    ['sandbox', 'Test buyers, test cards, a movable clock, and checkouts from automated tests.', true],
    ['webhooks', 'Signed callbacks and events: how to verify them, when they are retried, and how to recover a lost one.'],
    ['client', 'A typed client for JavaScript with safe retries and webhook verification.'],
  ],
  'Shop pages': [
    ['button', 'The element that shows a monthly price and opens the checkout: attributes, events, styling.'],
    ['recipes', 'Integrations to copy or install: HTML, React, Next.js, Vue, Svelte, Shopify, WooCommerce, Medusa, Vendure.'],
  ],
  Platforms: [['platform-api', 'List the applications of all merchants of a platform, and follow their changes.']],
  Lenders: [
    ['programs', 'Rates, terms, fees, limits and agreement texts of a financing program.'],
    ['lenders', 'The endpoint of a lender that decides on applications and receives signed agreements.'],
    ['compliance', 'Each requirement of consumer-credit law, with its citation and the test that covers it.'],
  ],
  Operators: [
    ['installation', 'From an empty machine to a service that answers: systemd, containers, PostgreSQL and the proxy.', true],
    ['operations', 'How to run the service, and its commands.', true],
    ['settings', 'The settings of the service, and how to check them.', true],
    ['monitoring', 'Metrics, alerts, a dashboard, and the status of the service at a glance.', true],
    ['scale', 'Several processes, poolers, fail-over, and figures for sizing.', true],
    ['backup', 'How to back up and restore the database, move it to PostgreSQL, upgrade the service and roll back.', true],
    ['security', 'Authentication, limits, encryption, stored data, and the threat model.', true],
    ['asvs', 'How the service meets the OWASP Application Security Verification Standard.', true],
  ],
  Contributors: [['architecture', 'The folders of the code, one purchase through them, and where to change what.', true]],
};

/** Files of the guides that are not in `server/docs/`. */
const FILES: Readonly<Record<string, string>> = {
  client: 'shared/client/README.md',
  button: 'widget/README.md',
  recipes: 'widget/recipes/README.md',
};

export function guidesIn(mode: Mode): GuideEntry[] {
  return Object.entries(guidesByReader).flatMap(([reader, guides]) =>
    guides
      .filter(([, , isSandboxOnly]) => mode === 'sandbox' || !isSandboxOnly)
      .map(([page, description]) => {
        return { reader, href: `/docs/${page}`, file: FILES[page] ?? `server/docs/${page}.md`, description };
      }),
  );
}

export interface Guide extends RenderedMarkdown, GuideEntry {
  title: string;
}

/** Reads and renders the guides of a mode. Links to other files become text. */
export function loadGuides(mode: Mode, color: ColorCode): Guide[] {
  const entries = guidesIn(mode);
  const urls = new Map([
    ...entries.map(({ file, href }) => [file, href] as const),
    ...recipeNames.map((name) => [`widget/recipes/${name}`, recipeHref(name)] as const),
  ]);
  return entries.map((entry) => {
    const markdown = readFileSync(pathOf(entry.file), 'utf8');
    const rendered = renderMarkdown(markdown, (href) => urlOf(href, entry.file, urls), color);
    return { ...rendered, ...entry, html: withSizes(rendered.html), title: rendered.headings[0]!.title };
  });
}

/** Adds the sizes of images, so that nothing moves when they arrive. A PNG has them at the bytes 16 and 20. */
function withSizes(rendered: string): string {
  return rendered.replace(/<img src="\/docs\/images\/([\w-]+\.png)"/g, (tag, name: string) => {
    const png = readFileSync(pathOf(`${IMAGES}/${name}`));
    return `${tag} width="${png.readUInt32BE(16)}" height="${png.readUInt32BE(20)}"`;
  });
}

/** Returns the sections of a guide for the search. */
export function sectionsOf({ href, title: page, headings, sectionTexts }: Guide): SearchableSection[] {
  return headings.map(({ level, id, title }, index) => ({
    href: level === 1 ? href : `${href}#${id}`,
    page,
    title,
    text: sectionTexts[index]!,
  }));
}

/** Returns the URLs and files of the images in guides. */
export function guideImages(): { url: string; path: string }[] {
  return readdirSync(pathOf(IMAGES)).map((name) => ({ url: `/docs/images/${name}`, path: pathOf(`${IMAGES}/${name}`) }));
}

/** Returns the URL of a link in a guide; undefined for files that are not served. */
function urlOf(href: string, file: string, urls: ReadonlyMap<string, string>): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  if (posix.dirname(target) === IMAGES) return `/docs/images/${posix.basename(target)}`;
  const url = urls.get(target);
  return url === undefined || anchor === undefined ? url : `${url}#${anchor}`;
}

/** Renders the page of a guide. */
export function guidePage(site: Site, guides: readonly Guide[], path: string): Html {
  const { title, headings, languages, html: text } = guides.find(({ href }) => href === path)!;
  const children = headings
    .filter(({ level }) => level === 2)
    .map((heading) => ({ href: `#${heading.id}`, title: heading.title }));
  const contents = byReader(guides).map(([reader, all]) => ({
    title: reader,
    children: all.map((guide) => ({
      href: guide.href,
      title: guide.title,
      ...(guide.href === path && { isCurrent: true, children }),
    })),
  }));
  const main = html`${languages.length > 0 ? languageSelection(languages) : nothing}
    <div class="guide">${unsafeHTML(text)}</div>`;
  return docsPage(site, { title, contents, main });
}

/** Renders the choice of the language that samples of a page are in. */
export function languageSelection(languages: readonly SampleLanguage[]): Html {
  return html`<fieldset class="languages">
    <legend class="hidden">Language of the samples</legend>
    ${languages.map(
      (language, index) =>
        html`<label>
          <input type="radio" name="language" value="${language}" ?checked=${index === 0} />
          ${sampleLanguages[language]}
        </label>`,
    )}
  </fieldset>`;
}

/** Renders the list of all guides. */
export function guideList(site: Site, mode: Mode, guides: readonly Guide[]): Html {
  const main = html`<h1>Guides</h1>
    ${mode === 'live' ? html`<p>Integrate with the sandbox first. Ask the operator of this service for its address, which has more guides.</p>` : nothing}
    ${byReader(guides).map(
      ([reader, all]) =>
        html`<section class="card">
          <h2>${reader}</h2>
          ${linkList(all.map(({ href, title, description }) => [href, title, description]))}
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
  const readers = [...new Set(guides.map(({ reader }) => reader))];
  return readers.map((reader) => [reader, guides.filter((guide) => guide.reader === reader)]);
}
