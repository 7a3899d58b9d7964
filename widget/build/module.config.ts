import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { minifyTemplates } from './templates.ts';

const room = fileURLToPath(new URL('../', import.meta.url));
const entries = { 'financing-button': 'exports.ts', define: 'index.ts', react: 'react.ts' };

/** What a shop's own build imports: modules that leave libraries to it, and are minified there. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  publicDir: false,
  resolve: { alias: [{ find: /^\.\/texts\/fetch-texts\.ts$/, replacement: `${room}texts/bundled-texts.ts` }] },
  plugins: [minifyTemplates(room)],
  build: {
    outDir: 'dist/widget/module',
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    lib: {
      entry: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, room + file])),
      formats: ['es'],
    },
    rolldownOptions: {
      external: /^[@a-z]/,
      output: { chunkFileNames: 'parts/[name].js', comments: { annotation: true, jsdoc: false, legal: true } },
    },
  },
});
