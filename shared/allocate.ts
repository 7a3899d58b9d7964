/**
 * Parts of `totalCents` in proportion to `weights`, in whole cents that add up to it exactly, by the method of the
 * largest remainder: each part is rounded down, and the cents left over go to those that lost most. Ties go to the
 * earlier part. Weights that are all zero share alike.
 *
 * @param totalCents - A safe integer of either sign.
 * @param weights    - Safe integers, none below zero; at least one.
 * @throws RangeError - an argument is outside its range; the message names it.
 *
 * @example
 * allocate(100, [1, 1, 1])  // [34, 33, 33]
 */
export function allocate(totalCents: number, weights: readonly number[]): number[] {
  if (!Number.isSafeInteger(totalCents)) throw new RangeError(`totalCents: expected a safe integer, but received ${totalCents}`);
  if (weights.length === 0) throw new RangeError('weights: expected at least one, but received none');
  const wrong = weights.find((weight) => !Number.isSafeInteger(weight) || weight < 0);
  if (wrong !== undefined) throw new RangeError(`weights: expected safe integers from 0, but received ${wrong}`);

  const isBare = weights.every((weight) => weight === 0);
  const shares = weights.map((weight) => (isBare ? 1n : BigInt(weight)));
  const whole = shares.reduce((sum, share) => sum + share, 0n);
  const amount = BigInt(Math.abs(totalCents));

  const parts = shares.map((share) => (amount * share) / whole);
  const left = Number(amount - parts.reduce((sum, part) => sum + part, 0n));
  // A sort keeps the order of equals: the earlier part stays ahead.
  const byLoss = shares
    .map((share, index) => ({ index, lost: (amount * share) % whole }))
    .sort((a, b) => Number(b.lost - a.lost));
  for (const { index } of byLoss.slice(0, left)) parts[index]! += 1n;

  return parts.map((part) => (totalCents < 0 ? -Number(part) : Number(part)) + 0);
}
