import { oneLine } from './one-line.ts';

/** What two segments of a text hold: in the alphabet every phone has, and in any other. */
const TWO_SEGMENTS = { plain: 306, unicode: 134 };

/** Characters that take one unit of that alphabet, GSM 03.38. */
const PLAIN = /^[A-Za-z0-9 \n!"#$%&'()*+,\-./:;<=>?@_]*$/;

/** The text that brings a buyer the cart's link: two segments at most, for which a long merchant's name is cut. */
export function textMessage(merchantName: string, url: string): string {
  const whole = message(oneLine(merchantName), url);
  const limit = PLAIN.test(whole) ? TWO_SEGMENTS.plain : TWO_SEGMENTS.unicode;
  if (whole.length <= limit) return whole;
  // By what readers take for a letter, so that none is cut in two.
  const letters = Array.from(new Intl.Segmenter('en').segment(oneLine(merchantName)), ({ segment }) => segment);
  let length = letters.length - 1;
  const cut = () => message(`${letters.slice(0, length).join('').trimEnd()}...`, url);
  while (length > 1 && cut().length > limit) length -= 1;
  return cut();
}

function message(merchantName: string, url: string): string {
  return `${merchantName}: continue your checkout at ${url}`;
}
