import type { AsLowAs } from '../shared/wire/as-low-as.ts';

/** What an `offer` attribute holds: an estimate that was worked out by the service for the page. */
export interface Offer {
  amountCents: number;
  /** The day it was worked out, in UTC. */
  on: string;
  /** Id of the program that the element named; not there for the merchant's default. */
  program?: string | undefined;
  currency: { code: string; digits: number };
  /** Language of the disclosure. */
  language: string;
  quote: AsLowAs;
}

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
