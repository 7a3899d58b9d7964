import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const widget = fileURLToPath(new URL('../../widget/', import.meta.url));

/** Source code of a shop that uses React: a server module and a browser script. */
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

/** Folders of packages by their import name. */
export type ReactPackages = Partial<Record<'react' | 'react-dom', string>>;

/** Bundles a script of the shop with React's development build, which logs warnings to the console. */
export async function bundle(target: keyof typeof entries, packages: ReactPackages): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : null),
        load: (id) => (id === '\0entry' ? entries[target] : null),
      },
    ],
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: {
      // Without `development`, because Lit's development build logs a warning on every page.
      conditions: target === 'server' ? ['node', 'module'] : ['browser', 'module'],
      alias: Object.entries(packages).map(([name, folder]) => ({ find: new RegExp(`^${name}(?=$|/)`), replacement: folder })),
    },
    ...(target === 'server' && { ssr: { noExternal: true } }),
    build: {
      write: false,
      minify: false,
      ...(target === 'server' && { ssr: true }),
      rolldownOptions: { input: 'entry', output: { format: 'es', codeSplitting: false } },
    },
  });
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput;
  return output[0].code;
}
