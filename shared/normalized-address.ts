/** The parts of an address that are compared. Platforms find applications by the hash of the home address, which they know. */
export interface NormalizableAddress {
  address1: string;
  locality: string;
  /** `CA` or the ISO 3166-2 code `US-CA`. */
  region: string;
  postalCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/**
 * Returns the normalized form of an address: `address1|locality|region|postalCode5|country`.
 *
 * Each part is normalized to Unicode NFKC and upper case, trimmed, and its runs of white space are replaced by one space. The
 * postal code is cut to five characters, and a country prefix is removed from the region. Apartments and floors (`address2`)
 * are not included.
 *
 * @see server/docs/platform-api.md for each step and test vectors for other implementations.
 *
 * @example
 * normalizedAddress({ address1: ' 1 Main  St', locality: 'Austin', region: 'US-TX', postalCode: '78701-1234', country: 'us' })
 * // '1 MAIN ST|AUSTIN|TX|78701|US'
 */
export function normalizedAddress({ address1, locality, region, postalCode, country }: NormalizableAddress): string {
  const countryCode = fold(country);
  const prefixedRegion = fold(region);
  const regionCode = prefixedRegion.startsWith(`${countryCode}-`) ? prefixedRegion.slice(countryCode.length + 1) : prefixedRegion;
  return [fold(address1), fold(locality), regionCode, fold(postalCode).slice(0, 5), countryCode].join('|');
}

/** Returns the SHA-256 of the UTF-8 encoded normalized address, in hexadecimal: `normalizedAddressHash` in the platform API. */
export async function normalizedAddressHash(address: NormalizableAddress): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(normalizedAddress(address)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Normalizes twice because upper-casing can produce decomposed characters. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(/^ | $/g, '');
}
