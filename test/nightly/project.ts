import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onCleanup } from '../support/cleanup.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Creates the project of a shop: a temporary folder with a copy of the recipes, with `shop/` also in that of Next.js. Its `node_modules` links to the packages of the
 * repository, to those of the nightly tests and to the built packages of Fairterm. Tools must preserve symbolic links, so that every
 * package finds the others of the project.
 *
 * @param replaced - Names of the packages to use, by import name: `{ react: 'react-18' }`.
 * @returns The path of the folder.
 */
export function createProject(replaced: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-project-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  const nightly = join(root, 'test/nightly/node_modules');
  for (const [name, source] of [['client', 'shared/client'] as const, ['button', 'widget'] as const]) {
    const linked = join(modules, '@fairterm', name);
    mkdirSync(linked, { recursive: true });
    for (const published of ['package.json', 'dist']) symlinkSync(join(root, source, published), join(linked, published));
  }
  for (const installed of [nightly, join(root, 'node_modules')]) linkPackages(installed, modules);
  for (const [name, replacement] of Object.entries(replaced)) {
    rmSync(join(modules, name), { force: true });
    symlinkSync(join(nightly, replacement), join(modules, name));
  }
  for (const copied of ['tsconfig.json', 'widget/recipes', 'test/nightly/hydrated']) {
    cpSync(join(root, copied), join(folder, copied), { recursive: true });
  }
  const recipes = join(folder, 'widget/recipes');
  cpSync(join(recipes, 'shop'), join(recipes, 'next/shop'), { recursive: true });
  return folder;
}

/** Links to each package of a folder that `modules` does not contain yet. */
function linkPackages(installed: string, modules: string): void {
  const names = readdirSync(installed).filter((name) => !name.startsWith('.'));
  const packages = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(installed, name)).map((scoped) => `${name}/${scoped}`) : [name],
  );
  for (const name of packages) {
    const link = join(modules, name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(installed, name), link);
  }
}
