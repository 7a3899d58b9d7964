/**
 * Splits `totalCents` in proportion to `weights`, in whole cents that add up to the total.
 *
 * Uses the largest remainder method: each part is rounded down, and the remaining cents go to the parts with the largest
 * remainders. Ties go to the earlier part. If all weights are zero, the total is split equally.
 *
 * @param totalCents - A safe integer of either sign.
 * @param weights - At least one safe integer, each 0 or more.
 * @throws RangeError if an argument is out of range. The message names the argument.
 *
 * @example
 * allocate(100, [1, 1, 1])  // [34, 33, 33]
 */
export function allocate(totalCents: number, weights: readonly number[]): number[] {
  if (!Number.isSafeInteger(totalCents)) throw new RangeError(`totalCents: expected a safe integer, but received ${totalCents}`);
  if (weights.length === 0) throw new RangeError('weights: expected at least one, but received none');
  const invalid = weights.find((weight) => !Number.isSafeInteger(weight) || weight < 0);
  if (invalid !== undefined) throw new RangeError(`weights: expected safe integers from 0, but received ${invalid}`);

  const areAllZero = weights.every((weight) => weight === 0);
  const shares = weights.map((weight) => (areAllZero ? 1n : BigInt(weight)));
  const total = shares.reduce((sum, share) => sum + share, 0n);
  const amount = BigInt(Math.abs(totalCents));

  const parts = shares.map((share) => (amount * share) / total);
  const remainingCents = Number(amount - parts.reduce((sum, part) => sum + part, 0n));
  // Sorting is stable, so the earlier part comes first among equal remainders.
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: (amount * share) % total }))
    .sort((a, b) => Number(b.remainder - a.remainder));
  for (const { index } of byRemainder.slice(0, remainingCents)) parts[index]! += 1n;

  // Adding 0 turns -0 into 0.
  return parts.map((part) => (totalCents < 0 ? -Number(part) : Number(part)) + 0);
}
