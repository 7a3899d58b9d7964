/** Recipes are copied one folder at a time, with the folder `shop/` next to those that import it, and for Next.js in its folder. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';

const recipes = 'widget/recipes';
const foldersOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const withShop = ['react-18', 'react-19', 'svelte', 'vue'];
const inTypeScript = foldersOf(recipes).filter((name) => !['html', 'woocommerce'].includes(name));

describe('A recipe that is copied', () => {
  it.each(inTypeScript)('has every file that it imports: %s', async (name) => {
    const project = mkdtempSync(join(tmpdir(), 'fairterm-recipe-'));
    onCleanup(() => rmSync(project, { recursive: true }));
    const copied = ['env.d.ts', name, ...(withShop.includes(name) ? ['shop'] : [])];
    for (const path of copied) cpSync(join(recipes, path), join(project, path), { recursive: true });
    if (name === 'next') cpSync(join(recipes, 'shop'), join(project, 'next/shop'), { recursive: true });
    symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
    const compilerOptions = {
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      lib: ['es2023', 'dom', 'dom.iterable'],
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['env.d.ts', name] }));
    const compile = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project]);
    const { stdout } = await compile.catch((error: { stdout: string }) => error);
    // Packages that only the nightly tests install are not found.
    expect(stdout.split('\n').filter((line) => /Cannot find module '\.[^']*\.tsx?'/.test(line))).toEqual([]);
  });
});
