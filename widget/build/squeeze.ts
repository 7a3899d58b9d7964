import { minify, type MinifyOptions } from 'terser';
import type { Plugin } from 'vite';
import { INTERNAL_NAMES } from './internal-names.ts';

/**
 * What terser may do. It runs after Vite's own minifier: the two find different things.
 *
 * Nothing that changes what a program does is on: of terser's `unsafe` options only the one for arrow functions, which is
 * about reading a function's `prototype` or calling it with `new`.
 */
export const squeezeOptions: MinifyOptions = {
  module: true,
  ecma: 2020,
  compress: { passes: 3, unsafe_arrows: true, keep_fargs: false },
  // `_$…` is how Lit's own packages speak to one another, of which only one is here.
  mangle: { properties: { regex: new RegExp(`^(?:_\\$.*|${INTERNAL_NAMES.join('|')})$`), keep_quoted: true } },
  format: { comments: false },
};

/** Minifies what Vite has minified once more. */
export function squeeze(): Plugin {
  return {
    name: 'squeeze',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          const { code: once } = await minify(file.code, squeezeOptions);
          // Shorter code makes more of it worth inlining.
          const { code } = await minify(once ?? '', { ...squeezeOptions, mangle: true });
          if (!code) throw new Error(`Nothing is left of ${file.fileName}`);
          file.code = `${code}\n`;
        }
      },
    },
  };
}
