/** What the script loads from beside itself on pages that use it, and where the sources of each begin. */
export const PARTS = { 'amount-from': 'amount-from.ts', checkout: 'checkout/index.ts', debug: 'debug/index.ts' };
