/**
 * Addresses at a post office in the forms of USPS Publication 28, section 28: `PO BOX`, also with the designations CALLER, FIRM CALLER,
 * BIN, LOCKBOX and DRAWER, a private mailbox (`PMB`), and General Delivery. Compared are lower-case letters, digits and single spaces.
 */
const DESIGNATIONS = '(?:firm )?caller(?: service| box)?|call box|bin|lock ?box|drawer';

/** Anywhere in a line. */
const WITHIN = new RegExp(
  `(?:^| )(?:${[
    `(?:p ?[o0]|post ?off(?:ice)?) ?(?:box|bx|${DESIGNATIONS})(?![a-z])`,
    'p ?o ?b ?\\d',
    '(?:post|postal) ?box ?\\d',
    '(?:p ?m ?b|private mail ?box) ?\\d',
    '(?:apartado|apdo)(?: postal| no)* ?\\d',
    'casilla (?:postal|de correo)(?![a-z])',
  ].join('|')})`,
);

/** A whole part of a line. Streets begin with such words, too, and `Box 4` may be a unit of a house. */
const WHOLE = new RegExp(
  `^(?:${[
    'p ?[o0](?: no| number)? ?\\d+ ?[a-z]?',
    `(?:${DESIGNATIONS})(?: no| number)? ?(?:\\d+ ?[a-z]?|[a-z])`,
    '(?:c o )?(?:general|gen) del(?:ivery)?(?: \\d+)?',
    'lista de correos',
  ].join('|')})$`,
);

/** Returns true if a line of an address is a box of a post office, or is for collection there. */
export function isPostOfficeBox(line: string): boolean {
  return line.split(',').some((part) => {
    const words = part
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
    return WITHIN.test(words) || WHOLE.test(words);
  });
}
