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

/** Folders of packages, by the name they are imported by. */
export type ReactPackages = Partial<Record<'react' | 'react-dom', string>>;

/** Bundles a script of a shop that uses React, in React's development build, which reports mistakes to the console. */
export async function bundle(place: keyof typeof entries, packages: ReactPackages): Promise<string> {
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
      // Not `development`, in which Lit writes to the console of every page.
      conditions: place === 'server' ? ['node', 'module'] : ['browser', 'module'],
      alias: Object.entries(packages).map(([name, folder]) => ({ find: new RegExp(`^${name}(?=$|/)`), replacement: folder })),
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
