/**
 * A text as it is compared: one kind of space, of hyphen, of quote and of multiplication sign, no accents, nothing invisible.
 * Capitals are kept.
 */
export interface PlainText {
  text: string;
  original: string;
  /** For every character of `text`, and for its end, where it stands in `original`. */
  origins: number[];
}

/** Stands for an empty line. */
export const PARAGRAPH = '¶';

/** What is not written as it is meant: a hyphen that keeps a line together is a hyphen all the same. */
const SPELLINGS: [RegExp, string][] = [
  [/[\p{Pd}\u2212]/u, '-'],
  [/[\u2018\u2019\u201b\u2032]/, "'"],
  [/[\u201c\u201d\u201e\u2033]/, '"'],
  [/[\u00d7\u2715\u2716\u2a2f]/, 'x'],
  [/[\u2044\u2215]/, '/'],
  [/\p{Cf}/u, ''],
];

/** Spaces that are written within a number, as in `1 299`. */
const GROUPING_SPACE = /[\u00a0\u2009\u202f]/;

/** Makes a text comparable. Takes time in proportion to its length. */
export function plainText(original: string): PlainText {
  const parts: string[] = [];
  const origins: number[] = [];
  const put = (part: string, at: number) => {
    parts.push(part);
    for (let index = 0; index < part.length; index++) origins.push(at);
  };

  let at = 0;
  while (at < original.length) {
    const character = String.fromCodePoint(original.codePointAt(at)!);
    const isSpace = /\s/.test(character) && character !== '\ufeff';
    if (isSpace && GROUPING_SPACE.test(character) && isWithinNumber(original, at)) {
      put("'", at);
      at++;
    } else if (isSpace) {
      const end = endOfSpace(original, at);
      put(/\n\s*\n|\u2029/.test(original.slice(at, end)) ? ` ${PARAGRAPH} ` : ' ', at);
      at = end;
    } else {
      put(character < '\u0080' ? character : spelled(character), at);
      at += character.length;
    }
  }
  origins.push(original.length);
  return { text: parts.join(''), original, origins };
}

/** What stood at a place of the plain text, on one line and not too long to quote. */
export function excerpt({ original, origins }: PlainText, start: number, end: number): string {
  const words = original.slice(origins[start], origins[end]).replace(/\s+/g, ' ').trim();
  return words.length > 200 ? `${words.slice(0, 199)}…` : words;
}

function endOfSpace(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && /[^\S\ufeff]/.test(text[end]!)) end++;
  return end;
}

function isWithinNumber(text: string, at: number): boolean {
  return /\d/.test(text[at - 1] ?? '') && /^\d{3}(?!\d)/.test(text.slice(at + 1, at + 5));
}

function spelled(character: string): string {
  for (const [written, meant] of SPELLINGS) if (written.test(character)) return meant;
  // Compatible forms become the plain ones, such as full-width digits; then accents are letters of their own, and go.
  return character
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\u2044/g, '/')
    .replace(/\s+/g, ' ');
}
