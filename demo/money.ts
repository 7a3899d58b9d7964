const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });

/** `129900` reads `$1,299`, `129950` reads `$1,299.50`. */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100);
}
