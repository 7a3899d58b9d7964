/**
 * Transactions that are partly canceled by amount and then authorized with other line items. The refunds are compared with the
 * prices at which the articles were sold.
 */
import { describe, expect, it } from 'vitest';
import { decide } from '../../../../server/purchases/transactions/actions.ts';
import type { Transaction } from '../../../../server/purchases/transactions/store.ts';
import type { ActionRequest, LineCount, LineItem } from '../../../../shared/wire/transaction.ts';
import { samples, type SeededRandom, seededRandom } from '../../../support/random.ts';

const now = '2026-11-21T09:30:00.000000Z';

/** Units of one article. The price excludes tax and discounts. */
interface Article {
  sku: string;
  price: number;
  quantity: number;
}

const lineOf = ({ sku, price, quantity }: Article, index: number): LineItem => ({
  id: `${index + 1}`,
  sku,
  price,
  quantity,
  product: { name: '', sku, imageUrl: '', detailUrl: '' },
});
const priceOf = (articles: readonly Article[]) => articles.reduce((sum, { price, quantity }) => sum + price * quantity, 0);

/** A PENDING transaction with the columns that actions use. */
function pendingOf(articles: readonly Article[], { shippingCents = 0, taxPercent = 0, discountPercent = 0 } = {}): Transaction {
  const taxCents = (priceOf(articles) * taxPercent) / 100;
  const discountCents = (priceOf(articles) * discountPercent) / 100;
  const lineItemsCents = priceOf(articles) + taxCents - discountCents;
  const totalCents = lineItemsCents + shippingCents;
  return {
    totalCents,
    adjustedTotalCents: totalCents,
    shippingCents,
    taxCents,
    lineItemsCents,
    canceledCents: 0,
    refundedCents: 0,
    cardCents: 0,
    cardReference: '',
    cardLabel: '',
    status: 'PENDING',
    lineItems: articles.map(lineOf),
    discounts: discountCents ? [{ amount: discountCents, description: 'Less' }] : [],
    adjustedQuantities: [] as LineCount[],
    merchantOrderId: '',
  } as unknown as Transaction;
}

const authorizeWith = (articles: readonly Article[]): ActionRequest => ({ type: 'authorize', lineItems: articles.map(lineOf) });
const cancel = (amount: number): ActionRequest => ({ type: 'cancel', amount });
const refundOne = (sku: string): ActionRequest => ({ type: 'refund', lineItems: [{ sku, quantity: 1 }] });

/** Generates an order with prices in whole dollars, so that tax and discount are whole cents for each unit. */
function createOrder(random: SeededRandom) {
  const articles = Array.from({ length: random.integer(1, 5) }, (_, index) => ({
    sku: `A-${index}`,
    price: 100 * random.integer(1, 900),
    quantity: random.integer(1, 4),
  }));
  const terms = {
    shippingCents: random.integer(0, 2) * random.integer(1, 999),
    taxPercent: random.integer(0, 12),
    discountPercent: random.integer(0, 2) * random.integer(1, 25),
  };
  return { articles, terms, isShippingCanceled: random.integer(0, 2) === 0 };
}

describe('The line items of an authorization after a cancel by amount', () => {
  it.each(samples(300, 20_261_122, (random) => ({ seed: random.integer(0, 1e9), ...createOrder(random) })))(
    'are refunded unit by unit at their price with tax and discount: %j',
    ({ seed, articles, terms, isShippingCanceled }) => {
      const random = seededRandom(seed);
      const chargedFor = (price: number) => (price * (100 + terms.taxPercent - terms.discountPercent)) / 100;
      const remaining = articles
        .map((article) => ({ ...article, quantity: random.integer(0, article.quantity) }))
        .filter(({ quantity }) => quantity > 0);
      if (remaining.length === 0) remaining.push({ ...articles[0]!, quantity: 1 });
      const shipping = isShippingCanceled ? 0 : terms.shippingCents;
      const canceled = chargedFor(priceOf(articles) - priceOf(remaining)) + terms.shippingCents - shipping;

      let row = pendingOf(articles, terms);
      const step = (request: ActionRequest) => {
        const { after, entry } = decide(row, request, now);
        row = after;
        return entry.amountCents;
      };
      if (canceled > 0) step(cancel(canceled));
      // Reversed, so that the line items differ even if nothing was canceled.
      step(authorizeWith(remaining.toReversed()));
      step({ type: 'settle' });

      const units = remaining.flatMap(({ sku, price, quantity }) => Array.from({ length: quantity }, () => ({ sku, price })));
      for (let remainingCount = units.length; remainingCount > 0; remainingCount--) {
        const [{ sku, price }] = units.splice(random.integer(0, remainingCount - 1), 1) as [Article];
        expect(step(refundOne(sku))).toBe(chargedFor(price) + (remainingCount === 1 ? shipping : 0));
      }
      expect(row).toMatchObject({ status: 'REFUNDED', adjustedTotalCents: 0 });
    },
  );
});

it('The line items of an authorization that repeats all of a cart, of which one was canceled by amount, are refunded at their prices', () => {
  const sold = [
    { sku: 'A', price: 30_000, quantity: 2 },
    { sku: 'B', price: 40_000, quantity: 1 },
  ];
  let row = pendingOf(sold, { shippingCents: 700 });
  for (const request of [cancel(40_000), authorizeWith(sold), { type: 'settle' } as const]) row = decide(row, request, now).after;
  expect(decide(row, refundOne('A'), now).entry.amountCents).toBe(30_000);
});
