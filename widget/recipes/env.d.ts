/** What the environment of a build names. Vite shows pages what begins with `VITE_`, and the secret must not. */
interface ImportMeta {
  readonly env: { readonly VITE_FAIRTERM_URL: string; readonly VITE_FAIRTERM_KEY: string };
}

/** A type checker that does not read the file itself. */
declare module '*.vue' {
  import type { Component } from 'vue';
  const component: Component;
  export default component;
}

declare module '*.css';
