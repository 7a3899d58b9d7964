import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { translations } from './language.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** Lazy modules, which the script loads when a page needs them: source files by output name. */
const lazyModules: Record<string, string> = {
  'amount-from': `${folder}amount-from.ts`,
  checkout: `${folder}checkout.ts`,
  details: `${folder}details.ts`,
};
const texts = Object.fromEntries(
  Object.keys(translations).map((tag) => [
    `texts/${tag}`,
    fileURLToPath(new URL(`../shared/languages/${tag}/widget.ts`, import.meta.url)),
  ]),
);
const lazyFiles = Object.entries({ ...lazyModules, ...texts });

/** Modules for the build of a shop: the entries of `exports` in package.json. */
const packageEntries = { index: `${folder}index.ts`, react: `${folder}react.ts` };

/**
 * Builds a part of the widget. The mode selects which:
 *
 * - `script`: the script that pages load, as a module
 * - `classic-script`: the same script for a `<script>` without `type="module"`
 * - `texts`: the texts of every language
 * - the name of a lazy module. Each is built separately, so that it does not import the script, which the page may have loaded
 *   as a classic script or from another URL.
 * - `esm`, `cjs`: the package `@fairterm/button`, as ES modules and as CommonJS, without the dependencies except the small `@lit/react`,
 *   which only React needs
 */
export default defineConfig(({ mode }): UserConfig => {
  switch (mode) {
    case 'esm':
      return config(packageEntries, packageOptions);
    case 'cjs':
      return config(packageEntries, packageOptions, 'cjs');
    case 'texts':
      return config(texts, minified);
    case 'script':
      return config({ 'financing-button': `${folder}index.ts` }, script, 'es', [retryableImports('import.meta.url')]);
    case 'classic-script':
      return config({ 'financing-button.iife': `${folder}define.ts` }, script, 'iife', [
        retryableImports('document.currentScript?.src'),
      ]);
    default:
      return config({ [mode]: lazyModules[mode]! }, minified);
  }
});

type Options = Exclude<NonNullable<UserConfig['build']>['rolldownOptions'], undefined>;

const output = { minify: true, comments: false };
const minified: Options = { output };
const packageOptions: Options = {
  // Dependencies, which the shop installs: their names do not begin with `.` or `/`, as paths do.
  external: (id) => /^[@a-z]/.test(id) && id !== '@lit/react',
  // CommonJS has no `import.meta.url`.
  checks: { emptyImportMeta: false },
  output: { chunkFileNames: 'chunks/[name].js', comments: { annotation: true, jsdoc: false, legal: true } },
};
const script: Options = {
  // Not bundled, but imported from the files next to the script.
  external: lazyFiles.map(([, file]) => file),
  // A classic script has no `import.meta.url`.
  checks: { emptyImportMeta: false },
  output: { ...output, paths: Object.fromEntries(lazyFiles.map(([name, file]) => [file, `./${name}.js`])) },
};

function config(
  entry: Record<string, string>,
  rolldownOptions: Options,
  format: 'es' | 'cjs' | 'iife' = 'es',
  plugins: Plugin[] = [],
): UserConfig {
  return {
    root: fileURLToPath(new URL('../', import.meta.url)),
    plugins: [withoutWhiteSpace(), ...plugins],
    publicDir: false,
    build: {
      emptyOutDir: false,
      target: 'es2022',
      // Rolldown minifies more than Vite does for libraries.
      minify: false,
      // The name is required, but not used, because the script has no exports.
      lib: { entry, formats: [format], name: 'FinancingButton', fileName: (_format, name) => `${name}.js` },
      rolldownOptions,
    },
  };
}

/**
 * Resolves lazy imports relative to the script, as in a module. A classic script from another origin has the base URL `about:blank`
 * (HTML, "fetch a classic script", muted errors). After a failure, the next attempt has another fragment, because browsers
 * store the failure of a module by its URL until the page is reloaded.
 *
 * @param base - JavaScript expression of the script's URL.
 */
function retryableImports(base: string): Plugin {
  const importLazily = `const scriptSrc=${base},attempts={},importLazily=path=>import(new URL(path+(attempts[path]??''),scriptSrc))
    .catch(error=>{attempts[path]=(attempts[path]??'#')+1;throw error});`;
  return {
    name: 'retryable-imports',
    renderChunk(code, _chunk, { format }) {
      const withImports = importLazily + code.replace(/import\(("\.\/[^"]+")\)/g, 'importLazily($1)');
      return { code: format === 'iife' ? `{${withImports}}` : withImports, map: null };
    },
  };
}

/** Removes what the minifier keeps in templates: indentation, and in style sheets also white space, quotes and zeros that CSS does not need. */
function withoutWhiteSpace(): Plugin {
  const compact = (css: string): string =>
    css
      .replace(/^([\w-]+): /gm, '$1:') // the space in `margin: 0`
      .replace(/;\n\}/g, '}') // the last semicolon of a rule
      .replace(/='([\w-]+)'/g, '=$1') // the quotes in `[part='button']`
      .replace(/\b0\./g, '.') // the zero in `0.6`
      .replace(/, /g, ',')
      .replace(/ ?([{};,])\n/g, '$1'); // line ends
  return {
    name: 'without-white-space',
    transform: (code) => ({
      code: code.replace(/^ +/gm, '').replace(/css`\n[^`]*`/g, compact),
      map: null,
    }),
  };
}
