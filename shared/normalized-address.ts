/** What of an address counts where two are compared. */
export interface NormalizableAddress {
  address1: string;
  locality: string;
  /** `CA`, or as ISO 3166-2 has it, `US-CA`. */
  region: string;
  postalCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/**
 * An address as it is hashed: `address1|locality|region|postalCode5|country`, each composed (Unicode NFKC), in capitals, without white
 * space at its ends and with one space where there was any. Of the postal code the first five characters count, of a region what
 * follows its country. Flats and floors do not count.
 *
 * @see server/docs/platform-api.md - the same step by step, with examples.
 *
 * @example
 * normalizedAddress({ address1: ' 1 Main  St', locality: 'Austin', region: 'US-TX', postalCode: '78701-1234', country: 'us' })
 * // '1 MAIN ST|AUSTIN|TX|78701|US'
 */
export function normalizedAddress({ address1, locality, region, postalCode, country }: NormalizableAddress): string {
  const land = folded(country);
  const part = folded(region);
  const withoutLand = part.startsWith(`${land}-`) ? part.slice(land.length + 1) : part;
  return [folded(address1), folded(locality), withoutLand, folded(postalCode).slice(0, 5), land].join('|');
}

/** SHA-256 of the normalized address in UTF-8, hexadecimal: the `normalizedAddressHash` of the platform API. */
export async function normalizedAddressHash(address: NormalizableAddress): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(normalizedAddress(address)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Composed once more in the end: capitals of what is composed need not be. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(/^ | $/g, '');
}
