/** Environment variables of a build. Vite exposes variables that begin with `VITE_` to pages, so the secret must not. */
interface ImportMeta {
  readonly env: { readonly VITE_FAIRTERM_URL?: string; readonly VITE_FAIRTERM_KEY?: string };
}

/** For type checkers that cannot read `.vue` files. */
declare module '*.vue' {
  import type { Component } from 'vue';
  const component: Component;
  export default component;
}

declare module '*.css';
