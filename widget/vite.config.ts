import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { assets } from './build/assets.ts';
import { pruneLit } from './build/prune-lit.ts';
import { squeeze } from './build/squeeze.ts';
import { minifyTemplates } from './build/templates.ts';

const room = fileURLToPath(new URL('./', import.meta.url));

/** What a page loads: a module, the same as a plain script, and what stands beside them. */
export default defineConfig({
  root: fileURLToPath(new URL('../', import.meta.url)),
  publicDir: false,
  resolve: { alias: [{ find: /^\.\/parts\.ts$/, replacement: `${room}parts-served.ts` }] },
  plugins: [pruneLit(), minifyTemplates(room), noGlobal(), squeeze(), assets(room)],
  build: {
    outDir: 'dist/widget',
    emptyOutDir: false,
    target: 'es2022',
    minify: 'oxc',
    lib: {
      entry: `${room}index.ts`,
      name: 'Fairterm',
      formats: ['es', 'iife'],
      fileName: (format) => (format === 'es' ? 'financing-button.js' : 'financing-button.iife.js'),
    },
    rolldownOptions: {
      checks: { emptyImportMeta: false },
      output: { minify: true, comments: false, generatedCode: { symbols: false } },
    },
  },
});

/** A plain script has nobody to export to: without this it would leave a variable behind on the page. */
function noGlobal(): Plugin {
  return {
    name: 'no-global',
    renderChunk(code, _chunk, { format }) {
      if (format !== 'iife') return null;
      return { code: code.replace(/^var Fairterm = /, '').replace(/^\s*(exports\.\w+ = \w+|return exports);$/gm, ''), map: null };
    },
  };
}
