import anyAscii from 'any-ascii';

/** Latin letters, modifier letters such as the ʻokina, and punctuation, outside of ASCII. Letters of other scripts are not transliterated. */
const FOLDED = /(?!\p{ASCII})[\p{Script=Latin}\u02b0-\u02ff\p{P}\p{S}]/gu;

const LATIN = /\p{Script=Latin}/u;

/**
 * Returns the words of a name as signatures and searches compare them: without regard to case, accents, apostrophes and periods.
 * `Đặng Minh O'Neill-Smith` has the words `dang`, `minh`, `oneill` and `smith`.
 *
 * Unicode does not decompose letters such as đ, ł, ø, æ and þ, nor does it know which characters are apostrophes. The table of any-ascii
 * does. It is too large for the scripts of pages. After a change of these rules, the stored words of purchases must be stored anew.
 */
export function foldedWords(name: string): string[] {
  const folded = name
    // Letters whose lower case depends on their place, such as the Greek sigma, have one upper case.
    .toUpperCase()
    // Before decomposition, which turns an acute accent without a letter into a space.
    .replace(FOLDED, foldCharacter)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Join_Control}'`.]/gu, '')
    .toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** Other punctuation stays, because it separates words. */
function foldCharacter(character: string): string {
  const ascii = anyAscii(character);
  if (LATIN.test(character)) return ascii || character;
  return /^['`]+$/.test(ascii) ? '' : character;
}
