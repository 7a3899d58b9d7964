import { asLowAs } from '../../shared/as-low-as.ts';
import { CALCULATION_VERSION } from '../../shared/plans.ts';
import { type CivilDate, dateIn } from '../../shared/dates.ts';
import type { DisclosureTexts } from '../../shared/languages/texts.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { AsLowAs, AsLowAsResponse } from '../../shared/wire/as-low-as.ts';
import type { Instant } from '../time.ts';
import { rateSheetOf } from '../programs/programs.ts';

export interface Quote {
  asLowAs: Readonly<AsLowAs>;
  /** The `AsLowAsResponse` as JSON. */
  json: string;
}

/** Maximum number per program. A quote takes about 2 kB. */
const MAX_CACHED_QUOTES = 1_000;

const cachedQuotes = new WeakMap<Program, Map<string, Quote>>();

/**
 * Returns the lowest monthly payment under a program, for any state of residence. Cached, because it depends only on the version of
 * the program, the amount, the language, and the day in the program's time zone (decisions/0035).
 */
export function quoteOf(program: Program, purchaseCents: number, now: Instant, texts: DisclosureTexts): Quote {
  const on = dateIn(now, program.timeZone);
  let ofProgram = cachedQuotes.get(program);
  if (!ofProgram) cachedQuotes.set(program, (ofProgram = new Map()));
  const key = `${purchaseCents} ${on} ${texts.language}`;
  let quote = ofProgram.get(key);
  if (!quote) {
    if (ofProgram.size >= MAX_CACHED_QUOTES) ofProgram.clear();
    const calculated = Object.freeze(asLowAs(rateSheetOf(program), purchaseCents, on, texts));
    ofProgram.set(key, (quote = { asLowAs: calculated, json: JSON.stringify(responseOf(calculated, program, on, texts)) }));
  }
  return quote;
}

function responseOf(quoted: AsLowAs, program: Program, date: CivilDate, texts: DisclosureTexts): AsLowAsResponse {
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
