import type { Language } from '../disclosure/texts.ts';

/** How a text writes numbers: `point` is 1,299.00 and `comma` is 1.299,00. */
export type Separators = 'point' | 'comma';

/** The digits of a number before and behind its separator. */
export interface Digits {
  whole: string;
  fraction: string;
}

/** A numeral where it was found: `1,299.00`, without signs around it. */
export const NUMERAL = /\d+(?:[.,']\d+)*/g;

const FORMS: Record<Separators, RegExp> = {
  point: /^(\d{1,3}(?:[,']\d{3})+|\d+)(?:\.(\d+))?$/,
  comma: /^(\d{1,3}(?:[.']\d{3})+|\d+)(?:,(\d+))?$/,
};

/** Reads a numeral; undefined when it is not written that way. */
export function digitsOf(numeral: string, separators: Separators): Digits | undefined {
  // No amount and no rate takes more characters, and a longer one is no number anyone could read.
  const found = numeral.length <= 32 ? FORMS[separators].exec(numeral) : null;
  return found ? { whole: found[1]!.replace(/\D/g, ''), fraction: found[2] ?? '' } : undefined;
}

/**
 * How most of the numerals of a text are written that can be read in one way only. English is written with a point; so is
 * Spanish where the text does not tell, as it is in the United States.
 */
export function separatorsOf(numerals: readonly { numeral: string; mostDigits: number }[], language: Language): Separators {
  if (language === 'en') return 'point';
  let commas = 0;
  for (const { numeral, mostDigits } of numerals) {
    const [point, comma] = (['point', 'comma'] as const).map((separators) => {
      const digits = digitsOf(numeral, separators);
      return digits !== undefined && digits.fraction.length <= mostDigits;
    });
    if (point !== comma) commas += comma ? 1 : -1;
  }
  return commas > 0 ? 'comma' : 'point';
}
