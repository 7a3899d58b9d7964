import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Takes pictures of the pages, see test/screenshots/checkout.ts. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: { '@fairterm/client': fileURLToPath(new URL('../shared/client/index.ts', import.meta.url)) } },
  test: {
    pool: 'forks',
    setupFiles: 'test/support/setup.ts',
    include: ['test/screenshots/{checkout,console,walk,widget,demo,readme,woocommerce}.ts'],
  },
});
