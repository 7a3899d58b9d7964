/** Numbers of payments and months as they are written out, in both languages, without accents. */
const WORDS: [value: number, ...words: string[]][] = [
  [1, 'one', 'un', 'una'],
  [2, 'two', 'dos'],
  [3, 'three', 'tres'],
  [4, 'four', 'cuatro'],
  [5, 'five', 'cinco'],
  [6, 'six', 'seis'],
  [7, 'seven', 'siete'],
  [8, 'eight', 'ocho'],
  [9, 'nine', 'nueve'],
  [10, 'ten', 'diez'],
  [11, 'eleven', 'once'],
  [12, 'twelve', 'doce'],
  [18, 'eighteen', 'dieciocho'],
  [24, 'twenty-four', 'twenty four', 'veinticuatro'],
  [36, 'thirty-six', 'thirty six', 'treinta y seis'],
  [48, 'forty-eight', 'forty eight', 'cuarenta y ocho'],
  [60, 'sixty', 'sesenta'],
];

const VALUES = new Map(WORDS.flatMap(([value, ...words]) => words.map((word) => [word, value] as const)));

const COUNTED = String.raw`(?:payments?|instal?lments?|months?|pagos?|cuotas?|mensualidad(?:es)?|mes(?:es)?)`;
const NUMBER_WORD = new RegExp(String.raw`\b(${[...VALUES.keys()].join('|')})(?=[ -](?:[a-z-]{1,20} ){0,2}${COUNTED}\b)`, 'gi');

/** The number words of a plain text that count payments or months, and where they stand. */
export function numberWords(text: string): { start: number; end: number; value: number }[] {
  return [...text.matchAll(NUMBER_WORD)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    value: VALUES.get(word.toLowerCase())!,
  }));
}
