import { asLowAs } from '../../shared/as-low-as.ts';
import { CALCULATION_VERSION } from '../../shared/calculation-version.ts';
import type { CivilDate } from '../../shared/dates.ts';
import type { DisclosureTexts } from '../../shared/disclosure/texts.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { AsLowAs, AsLowAsResponse } from '../../shared/wire/as-low-as.ts';
import { sheetOf } from './parsed.ts';

/** A quote. */
export interface Quote {
  asLowAs: Readonly<AsLowAs>;
  /** The JSON of the `AsLowAsResponse` it is answered with. */
  json: string;
}

/** For each program: a shop asks for the prices of its articles again and again. Some 2 kB each. */
const MOST_KEPT = 1_000;

const quotes = new WeakMap<Program, Map<string, Quote>>();

/**
 * `asLowAs` under a program whose buyer is not known yet. Kept with the very version of the program, since a quote follows from that,
 * the amount, the day and the wording alone.
 */
export function quoteOf(program: Program, purchaseCents: number, on: CivilDate, texts: DisclosureTexts): Quote {
  let ofProgram = quotes.get(program);
  if (!ofProgram) quotes.set(program, (ofProgram = new Map()));
  const key = `${purchaseCents} ${on} ${texts.language}`;
  let quote = ofProgram.get(key);
  if (!quote) {
    if (ofProgram.size >= MOST_KEPT) ofProgram.clear();
    const worked = Object.freeze(asLowAs(sheetOf(program), purchaseCents, on, texts));
    ofProgram.set(key, (quote = { asLowAs: worked, json: JSON.stringify(answerOf(worked, program, on, texts)) }));
  }
  return quote;
}

function answerOf(quoted: AsLowAs, program: Program, date: CivilDate, texts: DisclosureTexts): AsLowAsResponse {
  return {
    asLowAs: quoted,
    financingProgramId: program.id,
    basis: {
      programVersion: program.version,
      calculationVersion: CALCULATION_VERSION,
      disclosureVersion: texts.version,
      date,
    },
  };
}
