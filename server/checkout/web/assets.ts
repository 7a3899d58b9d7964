import { fileURLToPath } from 'node:url';
import { type StaticFile, staticFile } from '../../http/static-files.ts';
import { stylesheet } from '../../http/stylesheet.ts';

/** In the order they count: what stands last may overrule. */
const PARTS = ['frame', 'text', 'forms', 'choices', 'actions', 'order', 'agreement', 'media'];

/** How the pages of the checkout look: in parts for whoever reads them, one file for a browser. */
export function checkoutStyles(): StaticFile {
  const paths = PARTS.map((name) => fileURLToPath(new URL(`./styles/${name}.css`, import.meta.url)));
  return stylesheet(paths, '/checkout/checkout.css');
}

/** What makes the pages of the checkout more comfortable, for browsers that run scripts. */
export function checkoutScript(): StaticFile {
  return staticFile(fileURLToPath(new URL('./client/enhance.js', import.meta.url)), '/checkout');
}
