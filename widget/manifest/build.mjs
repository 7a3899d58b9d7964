/**
 * `node widget/manifest/build.mjs FOLDER`: writes the custom elements manifest of `<financing-button>`, and the data for editors and
 * frameworks that is generated from it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { analyzeElement } from './analyze.mjs';
import { editorData } from './editors.mjs';
import { frameworkTypes } from './frameworks.mjs';

const packageJson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const [folder] = process.argv.slice(2);

const element = analyzeElement();
const files = {
  'custom-elements.json': manifestOf(element),
  ...editorData(element, packageJson),
  ...frameworkTypes(element),
};
for (const [name, content] of Object.entries(files)) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}

/** Returns the manifest, with the module of the package that exports the class and the one that registers the element. */
function manifestOf({ name, tagName }) {
  const path = (entry) => packageJson.exports[entry].default.replace(/^\.\//, '');
  const declaration = { name, module: path('./financing-button') };
  return {
    schemaVersion: '2.1.0',
    modules: [
      {
        kind: 'javascript-module',
        path: path('./financing-button'),
        declarations: [element],
        exports: [{ kind: 'js', name, declaration }],
      },
      {
        kind: 'javascript-module',
        path: path('./define'),
        declarations: [],
        exports: [{ kind: 'custom-element-definition', name: tagName, declaration }],
      },
    ],
  };
}
