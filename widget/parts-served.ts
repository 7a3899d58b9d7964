import type { loadPart as loadFromSources } from './parts.ts';
import { script } from './script.ts';

/** Loads a part from beside the script, of whose version it is. Rejects when it cannot be had. */
export const loadPart: typeof loadFromSources = (name) =>
  import(/* @vite-ignore */ new URL(`${name}.js`, script).href) as ReturnType<typeof loadPart<typeof name>>;
