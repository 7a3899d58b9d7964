import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import parts from './parts.json' with { type: 'json' };
import { squeeze } from './squeeze.ts';
import { minifyTemplates } from './templates.ts';

const room = fileURLToPath(new URL('../', import.meta.url));

/**
 * What the script loads from beside itself on pages that use it. It knows the element from outside alone: names of properties are
 * shortened per file. The mode says which part: each is built by itself, so that it is one file.
 */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  publicDir: false,
  plugins: [minifyTemplates(room), squeeze()],
  build: {
    outDir: 'dist/widget',
    emptyOutDir: false,
    target: 'es2022',
    minify: 'oxc',
    lib: { entry: room + parts[mode as keyof typeof parts], formats: ['es'], fileName: mode },
    rolldownOptions: { output: { minify: true, comments: false } },
  },
}));
