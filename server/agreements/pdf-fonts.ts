import { fileURLToPath } from 'node:url';

const fileOf = (name: string) => fileURLToPath(new URL(`./fonts/Roboto-${name}.ttf`, import.meta.url));

/** Roboto, Apache License 2.0: Latin, Greek and Cyrillic letters. */
export const fontFiles = { regular: fileOf('Regular'), bold: fileOf('Bold') };

/** White space, and the characters that both fonts have, which a test compares with the files: reading them would delay the start. */
const PRINTABLE = new RegExp(
  `^[\\s!-~\\u00A0-\\u024F\\u0259\\u02B0-\\u0377\\u037A-\\u037F\\u0384-\\u038A\\u038C\\u038E-\\u03A1\\u03A3-\\u03E1\\u03F0-\\u052F\\u1E00-\\u1EFF` +
    `\\u2000-\\u2027\\u202F-\\u205F\\u20A0-\\u20BE\\u2100\\u2101\\u2103\\u2105\\u2106\\u2109\\u2113\\u2116\\u2117\\u211E-\\u2123\\u2125\\u2126` +
    `\\u212A\\u212B\\u212E\\u2132\\u213B\\u214D\\u214F\\u2212]*$`,
  'u',
);

/**
 * Returns true if the fonts of the PDF have every character of a document. Others would be printed as empty boxes. The whole page is
 * checked, because its markup is ASCII.
 */
export function canBePdf(html: string): boolean {
  return PRINTABLE.test(html);
}
