import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cli } from '@custom-elements-manifest/analyzer/cli.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A member of LitElement that pages may rely on. */
const UPDATE_COMPLETE = {
  kind: 'field',
  name: 'updateComplete',
  type: { text: 'Promise<boolean>' },
  description: 'Resolves when all changes so far are rendered.',
  readonly: true,
};

/**
 * Returns the custom elements manifest of the package, schema 2.1.0, from the documentation in the source code. It contains only the
 * public API of the element, and the module that exports its class and registers it.
 *
 * @returns {Promise<import('custom-elements-manifest').Package>}
 */
export async function readManifest() {
  const argv = ['analyze', '--config', 'widget/manifest/config.mjs'];
  const { modules } = await cli({ argv, cwd: root, noWrite: true });
  // In the order of `globs` in config.mjs.
  const [script, registration] = modules;
  const { members, ...element } = script.declarations.find(({ tagName }) => tagName);
  const publicMembers = members.filter(({ privacy, static: isStatic }) => privacy !== 'private' && !isStatic);
  const packageJson = JSON.parse(readFileSync(`${root}widget/package.json`, 'utf8'));
  const path = packageJson.exports['.'].import.default.replace('./', '');
  const declaration = { name: element.name, module: path };
  const exportsOf = ({ exports }) =>
    exports.filter(({ declaration: { name } }) => name === element.name).map((each) => ({ ...each, declaration }));
  return {
    schemaVersion: '2.1.0',
    modules: [
      {
        kind: 'javascript-module',
        path,
        declarations: [{ ...element, members: [...publicMembers, UPDATE_COMPLETE] }],
        exports: [...exportsOf(script), ...exportsOf(registration)],
      },
    ],
  };
}

/** @returns {Promise<import('custom-elements-manifest').CustomElementDeclaration>} */
export async function readElement() {
  const { modules } = await readManifest();
  return modules[0].declarations[0];
}
