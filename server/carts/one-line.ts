/** What turns round the letters after it, in a subject for example. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Names come from elsewhere, and a line break in one would begin another header, or another paragraph. */
export function oneLine(text: string): string {
  return text
    .replace(BIDI, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}
