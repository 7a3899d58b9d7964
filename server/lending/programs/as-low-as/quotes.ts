import { LRUCache } from 'lru-cache';
import { asLowAs } from '../../../../shared/as-low-as.ts';
import { CALCULATION_VERSION } from '../../../../shared/plans.ts';
import type { CivilDate } from '../../../../shared/dates.ts';
import type { DisclosureTexts } from '../../../../shared/languages/texts.ts';
import type { Program } from '../../../../shared/programs/program.ts';
import type { AsLowAs, AsLowAsResponse } from '../../../../shared/wire/as-low-as.ts';
import { type Instant, dateIn } from '../../../base/time.ts';
import { rateSheetOf } from '../programs.ts';

export interface Quote {
  asLowAs: Readonly<AsLowAs>;
  /** The `AsLowAsResponse` as JSON. */
  json: string;
}

/** Quotes of all programs. One takes about 2 kB. */
const quotes = new LRUCache<string, Quote>({ max: 5_000 });

/** Numbers of programs in the keys of `quotes`. */
const programNumbers = new WeakMap<Program, number>();
let lastNumber = 0;

/**
 * Returns the lowest monthly payment under a program, for any state of residence. Cached, because it depends only on the version of
 * the program, the amount, the language, and the day in the program's time zone (decisions/0035).
 */
export function quoteOf(program: Program, purchaseCents: number, now: Instant, texts: DisclosureTexts): Quote {
  const on = dateIn(now, program.timeZone);
  let number = programNumbers.get(program);
  if (number === undefined) programNumbers.set(program, (number = ++lastNumber));
  const key = `${number} ${purchaseCents} ${on} ${texts.language}`;
  let quote = quotes.get(key);
  if (!quote) {
    const calculated = Object.freeze(asLowAs(rateSheetOf(program), purchaseCents, on, texts));
    quotes.set(key, (quote = { asLowAs: calculated, json: JSON.stringify(responseOf(calculated, program, on, texts)) }));
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
