/** The heading of every page of the checkout. One that is not here is a page nobody meant to show. */
export const KNOWN_HEADINGS: ReadonlySet<string> = new Set([
  'Your details',
  'Apply for financing',
  'Choose your plan',
  'Review and sign',
  'This purchase is complete',
  'We cannot offer financing this time',
  'Financing is not available for this order',
  'Financing is not available right now',
  'This checkout link has expired',
  'We do not know this checkout link',
  'We could not read this form',
]);
