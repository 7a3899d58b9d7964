import type { MaskedText } from './masked-text.ts';
import type { Mention } from './mentions.ts';

/** A fee of an example. What the text does not say of it is left out. */
export interface Fee {
  cents: number;
  /** Lent along with the purchase, rather than paid on the day of the loan. */
  lent?: boolean;
  /** Part of the finance charge: 12 CFR 1026.4. The APR then counts it. */
  financeCharge?: boolean;
  /** Its sentence. */
  text: string;
}

const DEDUCTED = /\b(?:deducted|withheld|subtracted|descontad[oa]|se descuenta|se deduce|deducid[oa])\b/;
const LENT =
  /\b(?:loan includes|added to (?:the|your) loan|included in (?:the|your) (?:loan|amount)|financed fee|is financed|prestamo incluye|se financia|se suma al prestamo)\b/;
const PAID =
  /\b(?:due on the day|due (?:today|at|on|when|upfront|up front)|paid (?:today|at|on|when|upfront|up front|separately)|el dia del prestamo|se paga|al contratar|por separado)\b/;
const NO_CHARGE =
  /\b(?:not (?:a )?(?:part of |included in )?(?:the )?(?:finance charge|apr)|no (?:forma|es) parte del cargo financiero)\b/;
const CHARGE =
  /\b(?:(?:part of|included in|includes?|is|reflects?)(?: the| a| this| an?)? (?:finance charge|apr)|apr includes|apr reflects|(?:forma|es) parte del cargo financiero|incluid[oa] en (?:el|la) (?:apr|tasa))\b/;

/**
 * The fees of an example, each with what its own sentence says of it. Fees of nothing are left out.
 *
 * @param centsOf - What a fee comes to, a percentage included.
 */
export function feesOf(masked: MaskedText, mentions: readonly Mention[], centsOf: (fee: Mention) => number | undefined): Fee[] {
  return mentions.flatMap((mention) => {
    const cents = centsOf(mention);
    if (!cents) return [];
    const [start, end] = sentenceAround(masked, mention);
    const words = masked.text.slice(start, end);
    const isDeducted = DEDUCTED.test(words);
    const lent = isDeducted || LENT.test(words) ? true : PAID.test(words) ? false : undefined;
    const financeCharge =
      isDeducted || (!NO_CHARGE.test(words) && CHARGE.test(words)) ? true : NO_CHARGE.test(words) ? false : undefined;
    return {
      cents,
      ...(lent !== undefined && { lent }),
      ...(financeCharge !== undefined && { financeCharge }),
      text: masked.excerpt(start, end),
    };
  });
}

/** A sentence, no longer than is read at a glance: fees of long texts are said briefly too. */
function sentenceAround({ sentenceEnds }: MaskedText, { start, end }: Mention): [start: number, end: number] {
  let [low, high] = [0, sentenceEnds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sentenceEnds[middle]! > start) high = middle;
    else low = middle + 1;
  }
  return [Math.max(sentenceEnds[low - 1] ?? 0, start - 300), Math.min(Math.max(sentenceEnds[low]!, end), end + 300)];
}
