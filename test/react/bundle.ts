import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const widget = fileURLToPath(new URL('../../widget/', import.meta.url));

/** What a shop that uses React writes, by the place it runs at. */
const entries = {
  server: `
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    import { FinancingButton } from '${widget}react.ts';
    export const render = (props) => renderToString(createElement(FinancingButton, props, 'Pay later'));`,
  browser: `
    import { createElement, createRef, Fragment } from 'react';
    import { flushSync } from 'react-dom';
    import { createRoot, hydrateRoot } from 'react-dom/client';
    import { FinancingButton } from '${widget}react.ts';
    const container = document.querySelector('main');
    const ref = createRef();
    let root;
    globalThis.shop = {
      ref,
      render(props) {
        const button = createElement(FinancingButton, { ...props, ref }, 'Pay later');
        if (!root && container.firstChild) root = hydrateRoot(container, button, { onRecoverableError: (error) => console.error(String(error)) });
        else flushSync(() => (root ??= createRoot(container)).render(button));
      },
    };`,
};

/**
 * A script of a shop with that React, which tells the mistakes it only looks for in development.
 *
 * @param version - '18' or '19'.
 */
export async function bundle(place: keyof typeof entries, version: string): Promise<string> {
  const suffix = version === '18' ? '-18' : '';
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : null),
        load: (id) => (id === '\0entry' ? entries[place] : null),
      },
    ],
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: {
      // Not `development`, in which Lit speaks to the console of every page.
      conditions: place === 'server' ? ['node', 'module'] : ['browser', 'module'],
      alias: [
        { find: /^react(?=$|\/)/, replacement: `react${suffix}` },
        { find: /^react-dom(?=$|\/)/, replacement: `react-dom${suffix}` },
      ],
    },
    ...(place === 'server' && { ssr: { noExternal: true } }),
    build: {
      write: false,
      minify: false,
      ...(place === 'server' && { ssr: true }),
      rolldownOptions: { input: 'entry', output: { format: 'es', codeSplitting: false } },
    },
  });
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput;
  return output[0].code;
}
