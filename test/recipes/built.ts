import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type InlineConfig, loadConfigFromFile, mergeConfig } from 'vite';
import { atTheEnd } from '../support/cleanup.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface Building {
  /** Folder below `widget/recipes`. */
  recipe: string;
  /** The environment that the recipe is built in. */
  env: { VITE_FAIRTERM_URL: string; VITE_FAIRTERM_KEY: string };
  aliases: Aliases;
}

/** Packages by the name that a recipe imports, and the one that they have here. */
export type Aliases = Readonly<Record<string, string>>;

/** Files of a build, by the path a browser asks for. */
export type Built = ReadonlyMap<string, string>;

/** The recipe as it is: `vite build` with its own configuration. */
export const buildRecipe = (building: Building): Promise<Built> => builtOf(building, 'production', {});

/**
 * The script that takes over a page rendered on a server, as `/hydrate.js`. With the checks of the framework's development build:
 * it alone says what does not match.
 *
 * @param entry - In `hydrated/`.
 */
export function buildHydration(building: Building, entry: string): Promise<Built> {
  const rolldownOptions = { input: fromRoot(`test/recipes/hydrated/${entry}`), output: { entryFileNames: 'hydrate.js' } };
  return builtOf(building, 'development', { build: { minify: false, rolldownOptions } });
}

/** What renders the recipe's page on a server, where there is no DOM. */
export async function buildServer<Module>(building: Building, entry: string): Promise<Module> {
  const over = { ssr: { noExternal: true as const }, build: { ssr: fromRoot(`test/recipes/hydrated/${entry}`) } };
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-recipe-'));
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }));
  const files = await builtOf(building, 'production', over);
  for (const [path, code] of files) writeFileSync(join(folder, basename(path)), code);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const [script] = files.keys();
  return (await import(pathToFileURL(join(folder, script!)).href)) as Module;
}

async function builtOf(
  { recipe, env, aliases }: Building,
  mode: 'production' | 'development',
  over: InlineConfig,
): Promise<Built> {
  const root = fromRoot(`widget/recipes/${recipe}`);
  const own = await loadConfigFromFile({ command: 'build', mode }, undefined, root);
  const define = Object.entries(env).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]);
  const alias = Object.entries(aliases).map(([name, other]) => [name, fromRoot(`node_modules/${other}`)]);
  const here: InlineConfig = {
    root,
    mode,
    configFile: false,
    logLevel: 'warn',
    define: Object.fromEntries(define),
    resolve: { alias: Object.fromEntries(alias) },
    build: { write: false },
  };
  const config = mergeConfig(mergeConfig(own?.config ?? {}, here), over);
  const result = await inEnvironment(mode, () => build(config));
  if (!('output' in result)) throw new Error('Expected one bundle');
  return new Map(
    result.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : Buffer.from(file.source).toString()]),
  );
}

/** Under a test runner it is `test`, in which no shop is built. */
async function inEnvironment<T>(environment: string, work: () => Promise<T>): Promise<T> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = environment;
  try {
    return await work();
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}
