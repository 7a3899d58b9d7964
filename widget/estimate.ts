import { type CivilDate, dateIn } from '../shared/dates.ts';
import { asLowAs } from '../shared/as-low-as.ts';
import type { DisclosureTexts } from '../shared/languages/texts.ts';
import type { ProgramDocument, RateSheet } from '../shared/programs/rate-sheet.ts';
import type { AsLowAs } from '../shared/wire/as-low-as.ts';
import { FinancingError } from './events.ts';

/** The program that an estimate is calculated from. */
export interface Terms {
  sheet: RateSheet;
  /** Texts of the disclosure, in the element's language if the program has it. */
  texts: DisclosureTexts;
}

/** The estimate for an amount. Fields are missing while the programs are loading, and after an error. */
export interface Estimate {
  /** Missing if there is no amount. */
  quote?: AsLowAs | undefined;
  terms?: Terms;
  failure?: FinancingError | undefined;
}

/**
 * Calculates the estimate for an amount.
 *
 * @param programs    - The merchant's programs, or the error of loading them; undefined while they are loading.
 * @param programId   - Id of a financing program; empty for the merchant's default.
 * @param amountCents - 0 for none.
 * @param locale      - BCP 47 tag of the element's language.
 */
export function estimateOf(
  programs: ProgramDocument | FinancingError | undefined,
  programId: string | null | undefined,
  amountCents: number,
  locale: string,
): Estimate {
  if (!programs || programs instanceof FinancingError) return { failure: programs };
  const id = programId || programs.defaultProgramId;
  const sheet = sheetOf(programs, programId);
  if (!sheet) return { failure: new FinancingError('program', id) };

  try {
    const byLanguage: Record<string, DisclosureTexts> = programs.texts;
    const texts = byLanguage[locale.split('-', 1)[0]!] ?? programs.texts.en;
    // Also without an amount, so that an invalid document is found before the terms are used for the details.
    const quote = asLowAs(sheet, amountCents, today(sheet), texts);
    // A newer service may use placeholders that this script cannot fill.
    if (!/\[obj|NaN|undefined/.test(quote.asLowAsText))
      return { quote: amountCents ? quote : undefined, terms: { sheet, texts } };
  } catch {
    // The figures or the texts are invalid, so the details could not be rendered either.
  }
  return { failure: new FinancingError('answer', id) };
}

/** Returns the rate sheet of a program; undefined while the programs are loading, after an error, and for an unknown id. */
export function sheetOf(
  programs: ProgramDocument | FinancingError | undefined,
  programId: string | null | undefined,
): RateSheet | undefined {
  if (programs instanceof FinancingError) return undefined;
  return programs?.programs.find(({ id }) => id === (programId || programs.defaultProgramId));
}

/** Returns today's date in a program's time zone, which selects the offers that are valid. */
export function today({ timeZone }: RateSheet): CivilDate {
  return dateIn(Date.now(), timeZone);
}
