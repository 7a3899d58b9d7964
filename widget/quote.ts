import { asLowAs } from '../shared/as-low-as.ts';
import type { DisclosureTexts } from '../shared/disclosure/texts.ts';
import type { ProgramDocument, RateSheet } from '../shared/programs/rate-sheet.ts';
import type { AsLowAs } from '../shared/wire/as-low-as.ts';
import type { Offer } from '../shared/wire/fragment.ts';
import { FinancingError } from './events.ts';

/** What an estimate was worked out from. */
export interface Terms {
  sheet: RateSheet;
  /** Those of the disclosure, in the element's language if the program speaks it. */
  texts: DisclosureTexts;
}

/** What can be said of an amount, as far as it is known. */
export interface Estimate {
  quote?: AsLowAs | undefined;
  currency?: RateSheet['currency'] | undefined;
  /** Language of the disclosure. */
  language?: string | undefined;
  /** Not there while only an offer is known. */
  terms?: Terms | undefined;
  failure?: FinancingError | undefined;
}

/**
 * The estimate for an amount: that of the offer, or worked out from the programs.
 *
 * @param answer      - What the service said, if anything yet.
 * @param programId   - A financing program; empty for the merchant's default.
 * @param amountCents - 0 for none.
 * @param tag         - BCP 47 tag of the element's language.
 */
export function estimateOf(
  answer: ProgramDocument | FinancingError | undefined,
  offer: Offer | undefined,
  programId: string | null | undefined,
  amountCents: number,
  tag: string,
): Estimate {
  if (!answer || answer instanceof FinancingError) return { failure: answer, ...offer };
  const id = programId || answer.defaultProgramId;
  const sheet = answer.programs.find((program) => program.id === id);
  if (!sheet) return { failure: new FinancingError('program', id) };

  try {
    const texts = tag.startsWith('es') ? answer.texts.es : answer.texts.en;
    const made = asLowAs(sheet, amountCents, today(), texts);
    // A place for a figure that is not known here, of a newer service, or a figure that is none.
    if (!/\[obj|NaN|undefined/.test(made.asLowAsText)) {
      const { currency } = sheet;
      return { quote: amountCents ? made : undefined, currency, language: texts.language, terms: { sheet, texts }, ...offer };
    }
  } catch {
    // Its numbers make no loan, or its texts no sentences: nor would they in the details.
  }
  return { failure: new FinancingError('answer', id), ...offer };
}

/** The day whose terms hold, in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
