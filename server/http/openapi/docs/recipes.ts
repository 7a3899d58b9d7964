import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { html } from '@lit-labs/ssr';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Html } from '../../pages/html.ts';
import { docsPage, type Site } from './layout.ts';

const FOLDER = fileURLToPath(new URL('../../../../widget/recipes', import.meta.url));

/** Names of the recipes, which are folders. */
export const recipeNames: readonly string[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Path of a recipe's page. */
export const recipeHref = (name: string): string => `/docs/recipes/${name}`;

/** Reads the files of a recipe: the path of each in the recipe, and its text. Leaves out pictures and what `npm pack` builds in a clone. */
function readRecipe(name: string): { path: string; text: string }[] {
  const folder = join(FOLDER, name);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/^dist\/|\.png$/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

/** Renders the page of a recipe with its files. */
export function recipePage(site: Site, name: string): Html {
  const files = readRecipe(name);
  const contents = [
    { href: '/docs/recipes', title: 'Recipes' },
    ...recipeNames.map((other) => ({
      href: recipeHref(other),
      title: other,
      ...(other === name && { isCurrent: true, children: files.map(({ path }) => ({ href: `#${path}`, title: path })) }),
    })),
  ];
  const importsOf = (folder: string) => files.some(({ text }) => text.includes(`from '${folder}/`));
  const shopPlace = importsOf('../shop') ? 'next to theirs' : importsOf('./shop') && 'into theirs';
  const shop = html` They import files of the folder <a href="${recipeHref('shop')}">shop</a>: copy it ${shopPlace}.`;
  const main = html`<h1>Recipe: ${name}</h1>
    <p>The files to copy.${shopPlace ? shop : ''} <a href="/docs/recipes">About the recipes</a></p>
    ${files.map(
      ({ path, text }) =>
        html`<h2 id="${path}"><a href="#${path}">${path}</a></h2>
          <pre><code class="scroll" role="group" aria-label="${path}" tabindex="0">${unsafeHTML(site.color(text, extname(path).slice(1)))}</code></pre>`,
    )}`;
  return docsPage(site, { title: `Recipe ${name}`, contents, main });
}
