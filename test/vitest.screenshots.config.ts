import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Takes pictures of the pages, see test/support/screenshots.ts. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: { 'fairterm/client': fileURLToPath(new URL('../shared/client/index.ts', import.meta.url)) } },
  test: {
    pool: 'forks',
    setupFiles: 'test/support/clean-up-after.ts',
    include: ['test/support/screenshots.ts', 'test/support/widget-screenshots.ts', 'test/support/readme-pictures.ts'],
  },
});
