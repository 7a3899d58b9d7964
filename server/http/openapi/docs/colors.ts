import { existsSync, readFileSync } from 'node:fs';
import { propertyOf } from '../../../../shared/objects.ts';
import { escapeHtml } from '../../pages/html.ts';

/** Returns code as HTML, in which each token has a class. @param language - Of its block or of its file: `ts`. */
export type ColorCode = (code: string, language: string) => string;

/** The code of all pages with its colors. `server/setup/colors.mjs` writes it to the build; sources show code without colors. */
const COLORS = new URL('colors.json', import.meta.url);

/** Returns a function that looks up code. Addresses in it are those of files: they are replaced later. */
export function readColors(): ColorCode {
  const colors: unknown = existsSync(COLORS) ? JSON.parse(readFileSync(COLORS, 'utf8')) : {};
  return (code) => {
    const colored = propertyOf(colors, code);
    return typeof colored === 'string' ? colored : escapeHtml(code);
  };
}
