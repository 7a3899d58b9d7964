/** Servers that render pages import the package, possibly several copies of it in several bundles. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { buildProject } from '../support/process.ts';

// The default timeout of a hook is too short for a build.
beforeAll(buildProject, 120_000);

const imports = "await import('@fairterm/button'); await import('@fairterm/button/react');";

it.each([
  ['once', ''],
  [
    "after another copy has defined the element in Lit's registry for servers",
    `globalThis.customElements = (await import('@lit-labs/ssr-dom-shim')).customElements;
     customElements.define('financing-button', class {});`,
  ],
])('A server can import the widget %s without errors or output', async (_when, setup) => {
  const options = ['--input-type=module', '--eval', `${setup} ${imports}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, options, { cwd: 'widget' });
  expect([stdout, stderr]).toEqual(['', '']);
});
