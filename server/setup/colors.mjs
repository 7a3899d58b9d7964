/**
 * `node server/setup/colors.mjs SERVICE`: colors the code of all pages of the documentation, and saves it to the built service, which then
 * needs no highlighter.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import hljs from 'highlight.js/lib/common';

const service = resolve(process.argv[2] ?? '');
const importFrom = (path) => import(pathToFileURL(join(service, 'server/http', path)).href);
const { readDocumentation } = await importFrom('openapi/docs/pages.js');
const { SAMPLE_URL } = await importFrom('openapi/docs/layout.js');
const { renderHtml } = await importFrom('pages/html.js');

hljs.registerAliases(['vue', 'svelte', 'liquid'], { languageName: 'xml' });

const colors = {};
const color = (code, language) => {
  if (hljs.getLanguage(language)) {
    const { value } = hljs.highlight(code, { language });
    colors[code] = value
      // Punctuation has the color of the text.
      .replaceAll(/<span class="hljs-(?:punctuation|operator)">([^<]*)<\/span>/g, '$1')
      .replaceAll(SAMPLE_URL, `<span class="hljs-link">${SAMPLE_URL}</span>`);
  }
  return '';
};
for (const mode of ['sandbox', 'live']) {
  const site = { stylesheet: '', script: '', version: '', color };
  for (const render of readDocumentation(site, mode).pages.values()) renderHtml(render());
}
writeFileSync(join(service, 'server/http/openapi/docs/colors.json'), JSON.stringify(colors));
