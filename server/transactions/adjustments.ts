import type { AdjustmentRequest, LineCount, LineItem } from '../../shared/wire/transaction.ts';
import { ServiceError } from '../errors.ts';
import { type Costs, firstPieces, lineValues } from './line-values.ts';

/** What of a transaction can be canceled or refunded. */
export interface Adjustable extends Costs {
  /** What is left of the total, in cents. */
  leftCents: number;
  lines: readonly LineItem[];
  /** Pieces that went with earlier cancels and refunds; each sku at most once. */
  adjusted: readonly LineCount[];
}

/** What goes with one cancel or refund. */
export interface Adjustment {
  amountCents: number;
  /** Each sku at most once. */
  lines: LineCount[];
}

/**
 * What a cancel or a refund moves.
 *
 * An `amount` moves as it is, and the lines beside it are only counted. Lines alone move what they are worth; with the
 * last pieces of all lines, and where neither is said, everything goes that is left, shipping included.
 *
 * @param verb - For the refusal's sentence.
 * @throws ServiceError `quantity-too-large` - a sku the transaction does not have, or more pieces than are left of it;
 *   `amount-too-large` - more than is left.
 * @see decisions/0010-adjustments.md
 */
export function adjustmentOf(verb: 'cancel' | 'refund', request: AdjustmentRequest, of: Adjustable): Adjustment {
  const asked = added([], request.lineItems ?? []);
  const left = piecesLeft(of);
  for (const line of asked) requirePieces(verb, line, left);

  if (request.amount) return { amountCents: withinLeft(verb, request.amount, of.leftCents), lines: asked };
  const isAllThereIs = left.every(({ sku, quantity }) => quantity === countOf(sku, asked));
  if (asked.length === 0 || isAllThereIs) return { amountCents: of.leftCents, lines: left };
  return { amountCents: withinLeft(verb, worthOf(asked, of), of.leftCents), lines: asked };
}

/** `more` pieces beside `counts`, each sku once. */
export function added(counts: readonly LineCount[], more: readonly LineCount[]): LineCount[] {
  const sums = new Map<string, number>();
  for (const { sku, quantity } of [...counts, ...more]) sums.set(sku, (sums.get(sku) ?? 0) + quantity);
  return [...sums].map(([sku, quantity]) => ({ sku, quantity }));
}

/** What is left of each sku of which anything is. */
export function piecesLeft({ lines, adjusted }: Pick<Adjustable, 'lines' | 'adjusted'>): LineCount[] {
  return added([], lines)
    .map(({ sku, quantity }) => ({ sku, quantity: quantity - countOf(sku, adjusted) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Of lines with the same sku, the pieces of the earlier go first: then it is known which of them are left. */
function worthOf(asked: readonly LineCount[], of: Adjustable): number {
  const values = lineValues(of.lines, of);
  const worthOfFirst = (sku: string, pieces: number) => {
    let rest = pieces;
    return of.lines.reduce((cents, line, index) => {
      if (line.sku !== sku) return cents;
      const taken = Math.min(rest, line.quantity);
      rest -= taken;
      return cents + firstPieces(values[index]!, line.quantity, taken);
    }, 0);
  };
  return asked.reduce((cents, { sku, quantity }) => {
    const before = countOf(sku, of.adjusted);
    return cents + worthOfFirst(sku, before + quantity) - worthOfFirst(sku, before);
  }, 0);
}

function requirePieces(verb: string, { sku, quantity }: LineCount, left: readonly LineCount[]): void {
  const available = countOf(sku, left);
  if (quantity <= available) return;
  const counted = `${available} ${available === 1 ? 'is' : 'are'} left`;
  throw new ServiceError('quantity-too-large', `Cannot ${verb} ${quantity} of the sku "${sku}": ${counted}.`);
}

function withinLeft(verb: string, amountCents: number, leftCents: number): number {
  if (amountCents <= leftCents) return amountCents;
  throw new ServiceError('amount-too-large', `Cannot ${verb} ${amountCents} cents: ${leftCents} are left.`);
}

function countOf(sku: string, counts: readonly LineCount[]): number {
  return counts.find((count) => count.sku === sku)?.quantity ?? 0;
}
