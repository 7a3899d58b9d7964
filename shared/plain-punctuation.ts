/** Hyphens and dashes that phones and word processors write for `-`, and the minus sign. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/** Returns a typed or pasted text with plain hyphens and blanks, for values in which no others have a meaning, such as phone numbers. */
export function plainPunctuation(text: string): string {
  return text.replace(HYPHENS, '-').replace(/\p{Zs}/gu, ' ');
}
