/** What a server does with the package: it imports it, and several of its bundles may each have a copy. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { buildWidget } from '../support/process.ts';

// Longer than a hook may take: it may have to be built.
beforeAll(buildWidget, 120_000);

const imports = "await import('fairterm/define'); await import('fairterm/react');";

it.each([
  ['alone', ''],
  [
    'after another copy of it, in the registry that Lit has for servers',
    `globalThis.customElements = (await import('@lit-labs/ssr-dom-shim')).customElements;
     customElements.define('financing-button', class {});`,
  ],
])('A server can import the widget %s without errors or output', async (_what, before) => {
  const words = ['--input-type=module', '--eval', `${before} ${imports}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words);
  expect([stdout, stderr]).toEqual(['', '']);
});
