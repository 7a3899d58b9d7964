const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });

/** Formats an amount in cents: 129900 is `$1,299`, and 129950 is `$1,299.50`. */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100);
}
