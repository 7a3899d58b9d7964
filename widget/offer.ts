import type { Offer } from '../shared/wire/fragment.ts';

/** Reads an `offer`; undefined when it is for another amount or day, or none. */
export function readOffer(written: string | null | undefined, amountCents: number, on: string): Offer | undefined {
  try {
    const offer: Offer = JSON.parse(written!);
    return offer.amountCents === amountCents && offer.on === on && offer.quote.asLowAsText ? offer : undefined;
  } catch {
    return undefined;
  }
}
