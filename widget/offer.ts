import type { Offer } from '../shared/wire/fragment.ts';

/** Reads an `offer`; undefined when it is for another amount or day or program, or none. */
export function readOffer(
  written: string | null | undefined,
  amountCents: number,
  on: string,
  program: string | null | undefined,
): Offer | undefined {
  try {
    const offer: Offer = JSON.parse(written!);
    return offer.amountCents === amountCents &&
      offer.on === on &&
      offer.program === (program || undefined) &&
      offer.quote.asLowAsText
      ? offer
      : undefined;
  } catch {
    return undefined;
  }
}
