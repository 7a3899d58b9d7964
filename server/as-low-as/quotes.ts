import { asLowAs } from '../../shared/as-low-as.ts';
import type { CivilDate } from '../../shared/dates.ts';
import type { DisclosureTexts } from '../../shared/disclosure/texts.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { AsLowAs } from '../../shared/wire/as-low-as.ts';
import { sheetOf } from './parsed.ts';

/** For each program: a shop asks for the prices of its articles again and again. Some 1.5 kB each. */
const MOST_KEPT = 1_000;

const quotes = new WeakMap<Program, Map<string, Readonly<AsLowAs>>>();

/**
 * `asLowAs` under a program whose buyer is not known yet. Kept with the very version of the program, since a quote follows from that,
 * the amount, the day and the wording alone.
 */
export function quoteOf(program: Program, purchaseCents: number, on: CivilDate, texts: DisclosureTexts): Readonly<AsLowAs> {
  let ofProgram = quotes.get(program);
  if (!ofProgram) quotes.set(program, (ofProgram = new Map()));
  const key = `${purchaseCents} ${on} ${texts.language}`;
  let quote = ofProgram.get(key);
  if (!quote) {
    if (ofProgram.size >= MOST_KEPT) ofProgram.clear();
    ofProgram.set(key, (quote = Object.freeze(asLowAs(sheetOf(program), purchaseCents, on, texts))));
  }
  return quote;
}
