import { fileURLToPath } from 'node:url';
import { type StaticFile, staticFile, stylesheet } from '../../http/static-files.ts';

/** In the order of the cascade. */
const PARTS = ['frame', 'text', 'forms', 'choices', 'actions', 'order', 'agreement', 'media'];

/** Returns the style sheet of the pages, one file made of `styles/*.css`. */
export function checkoutStyles(): StaticFile {
  const paths = PARTS.map((name) => fileURLToPath(new URL(`./styles/${name}.css`, import.meta.url)));
  return stylesheet(paths, '/checkout/checkout.css');
}

/** Returns the client script, which enhances pages that work without it. */
export function checkoutScript(): StaticFile {
  return staticFile(fileURLToPath(new URL('./client/enhance.js', import.meta.url)), '/checkout');
}
