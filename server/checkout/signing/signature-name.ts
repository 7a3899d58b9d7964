import type { BuyerContact } from '../../applications/contact.ts';

/**
 * Returns true if a signature is the name of a person: it contains the first and the last name, in this order. Case, accents and
 * punctuation are ignored, and other names, such as middle names, are allowed.
 */
export function isSignatureOf(signature: string, { firstName, lastName }: Pick<BuyerContact, 'firstName' | 'lastName'>): boolean {
  const signed = wordsOf(signature);
  let next = 0;
  return [...wordsOf(firstName), ...wordsOf(lastName)].every((word) => {
    next = signed.indexOf(word, next) + 1;
    return next > 0;
  });
}

/** Apostrophes and periods are removed, so that `O’Brien` is `OBrien`. Hyphens separate words, as spaces do. */
function wordsOf(name: string): string[] {
  return (
    name
      // An acute accent without a letter would become a space.
      .replace(/['’‘ʼ`´.]/g, '')
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[\p{M}\p{Join_Control}]/gu, '')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
  );
}
