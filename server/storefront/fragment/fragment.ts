import { languages } from '../../../shared/disclosure/languages.ts';
import { languageOf } from '../../../shared/languages.ts';
import type { FragmentQuery, Offer } from '../../../shared/wire/storefront.ts';
import { getSoldProgram, rateSheetOf } from '../../as-low-as/programs.ts';
import { quoteOf } from '../../as-low-as/quotes.ts';
import type { Query } from '../../db/database.ts';
import type { MerchantRow } from '../../merchants/store.ts';

/**
 * The estimate that goes into a page, as the element would work it out on that day.
 *
 * @param locale - Of the element. The disclosure is in its language if the program speaks it.
 * @throws ServiceError `program-not-found`
 */
export async function offerFor(
  query: Query,
  merchant: MerchantRow,
  { amount, program: code }: FragmentQuery,
  locale: string,
  on: string,
): Promise<Offer> {
  const { program } = await getSoldProgram(query, merchant, code, on);
  const texts = languages[languageOf(locale)];
  const { asLowAs } = quoteOf(program, amount, on, texts);
  const { currency } = rateSheetOf(program);
  return { amountCents: amount, on, program: code, currency, language: texts.language, quote: asLowAs };
}
