import { fileURLToPath } from 'node:url';
import { stylesheet } from '../../http/stylesheet.ts';
import type { StaticFile } from '../../http/static-files.ts';

/** In the order they count: what stands last may overrule. */
const PARTS = ['frame', 'text', 'forms', 'choices', 'actions', 'order', 'agreement', 'media'];

/** How the pages of the checkout look: in parts for whoever reads them, one file for a browser. */
export function checkoutStyles(): StaticFile {
  const paths = PARTS.map((name) => fileURLToPath(new URL(`./styles/${name}.css`, import.meta.url)));
  return stylesheet(paths, '/checkout/checkout.css');
}
