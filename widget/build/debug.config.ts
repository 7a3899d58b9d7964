import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { squeeze } from './squeeze.ts';
import { minifyTemplates } from './templates.ts';

const room = fileURLToPath(new URL('../', import.meta.url));

/** What the script loads from beside itself where an element has the attribute `debug`. It knows the element from outside alone. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  publicDir: false,
  plugins: [minifyTemplates(room), squeeze()],
  build: {
    outDir: 'dist/widget',
    emptyOutDir: false,
    target: 'es2022',
    minify: 'oxc',
    lib: { entry: `${room}debug/index.ts`, formats: ['es'], fileName: 'debug' },
    rolldownOptions: { output: { minify: true, comments: false } },
  },
});
