import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig, loadConfigFromFile, mergeConfig } from 'vite';
import { onCleanup } from '../support/cleanup.ts';

export interface RecipeBuild {
  /** The folder of a project, see `createProject`. */
  project: string;
  /** The folder of the recipe below `widget/recipes`. */
  recipe: string;
  /** The environment variables of the build. */
  env: { VITE_FAIRTERM_URL: string; VITE_FAIRTERM_KEY: string };
}

/** The files of a build by the path that a browser requests. */
export type BuiltFiles = ReadonlyMap<string, string>;

/** Builds a copy of the recipe's folder with `shop/` next to it, with its own configuration, as `vite build` does. */
export function buildRecipe(recipe: RecipeBuild): Promise<BuiltFiles> {
  const root = join(recipe.project, recipe.recipe);
  for (const copied of [recipe.recipe, 'shop']) {
    cpSync(join(recipe.project, 'widget/recipes', copied), join(recipe.project, copied), { recursive: true });
  }
  return runBuild(recipe, 'production', { root });
}

/**
 * Builds the script that hydrates a page rendered on a server, as `/hydrate.js`. It uses the development build of the framework, which
 * reports mismatches.
 *
 * @param entry - A file of `hydrated/`.
 */
export function buildHydration(recipe: RecipeBuild, entry: string): Promise<BuiltFiles> {
  const input = join(recipe.project, 'test/nightly/hydrated', entry);
  return runBuild(recipe, 'development', {
    build: { minify: false, rolldownOptions: { input, output: { entryFileNames: 'hydrate.js' } } },
  });
}

/** Builds and imports the module that renders the page of a recipe on a server. */
export async function buildServer<Module>(recipe: RecipeBuild, entry: string): Promise<Module> {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-recipe-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const files = await runBuild(recipe, 'production', {
    ssr: { noExternal: true },
    build: { ssr: join(recipe.project, 'test/nightly/hydrated', entry) },
  });
  for (const [path, code] of files) writeFileSync(join(folder, basename(path)), code);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const [script] = files.keys();
  return (await import(pathToFileURL(join(folder, script!)).href)) as Module;
}

async function runBuild(
  { project, recipe, env }: RecipeBuild,
  mode: 'production' | 'development',
  overrides: InlineConfig,
): Promise<BuiltFiles> {
  const root = overrides.root ?? join(project, 'widget/recipes', recipe);
  const loaded = await loadConfigFromFile({ command: 'build', mode }, undefined, root);
  const define = Object.entries(env).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]);
  const common: InlineConfig = {
    root,
    mode,
    configFile: false,
    logLevel: 'warn',
    define: Object.fromEntries(define),
    resolve: { preserveSymlinks: true },
    build: { write: false },
  };
  const config = mergeConfig(mergeConfig(loaded?.config ?? {}, common), overrides);
  const result = await withNodeEnv(mode, () => build(config));
  if (!('output' in result)) throw new Error('Expected one bundle');
  return new Map(
    result.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : Buffer.from(file.source).toString()]),
  );
}

/** Runs `work` with another NODE_ENV. Vitest sets it to `test`, for which frameworks have no build. */
async function withNodeEnv<T>(environment: string, work: () => Promise<T>): Promise<T> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = environment;
  try {
    return await work();
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}
