/* Names and numbers that are reserved for examples. The operator and the programs of a live service must not have them. */

/** Host names in the top-level domains `test`, `example`, `invalid` and `localhost`, and `example.com`, `.net` and `.org`. */
const RESERVED_DOMAIN =
  /\b(?:[\w-]+\.)*(?:example\.(?:com|net|org)|[\w-]+\.(?:test|example|invalid|localhost)|localhost)(?![\w-]|\.\w)/i;

/**
 * US numbers with or without an area code, such as `1-800-241-0100`, `(302) 241-0100` and `241-0100`, or else international ones. Digits
 * that follow a US number, such as opening hours, are not part of it.
 */
const PHONE =
  /(?<!\d)(?:\+?1[\s./\p{Pd}]{0,3})?(?:\(?\d{3}\)?[\s./\p{Pd}]{0,3})?\d{3}[\s./\p{Pd}]{0,3}\d{4}(?!\d)|\+[2-9][\d ().-]{5,}\d/gu;
/** The digits of 555-0100 to 555-0199, with or without an area code and the country code 1. */
const FICTIONAL = /^(?:1?\d{3})?55501\d\d$/;

/** Returns the first host name in a text that is reserved for examples. @see RFC 2606, RFC 6761 */
export function reservedDomainIn(text: string): string | undefined {
  return RESERVED_DOMAIN.exec(text)?.[0];
}

/** Returns the first phone number in a text that is reserved for fiction: 555-0100 to 555-0199. @see ATIS-0300115 */
export function fictionalPhoneIn(text: string): string | undefined {
  return phonesIn(text).find((phone) => FICTIONAL.test(digitsOf(phone)));
}

/** Returns the phone numbers in a text as they are written. */
export function phonesIn(text: string): string[] {
  return text.match(PHONE) ?? [];
}

export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}
