/**
 * Orders of which something was canceled by its amount before other lines came with the authorization, checked against the
 * merchant's own books: an article for an article, at the price it was sold for.
 */
import { describe, expect, it } from 'vitest';
import { act, decide } from '../../../server/transactions/actions.ts';
import type { TransactionRow } from '../../../server/transactions/store.ts';
import type { ActionRequest, LineItem } from '../../../shared/wire/transaction.ts';
import { createDatabase } from '../../support/databases.ts';
import { givenBuying } from '../../support/purchases.ts';
import { samples, type SeededRandom, seededRandom } from '../../support/random.ts';

const now = '2026-11-21T09:30:00.000000Z';
const lifetimes = { pendingDays: 7, authorizedDays: 90 };

/** Pieces of one article, each sold for `price` before tax and discounts. */
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
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const priceOf = (articles: readonly Article[]) => sum(articles.map(({ price, quantity }) => price * quantity));

const purchaseOf = (articles: readonly Article[], { shippingCents = 0, taxPercent = 0, discountPercent = 0 } = {}) => {
  const [tax, discount] = [taxPercent, discountPercent].map((percent) => (priceOf(articles) * percent) / 100) as [number, number];
  const total = priceOf(articles) + tax - discount + shippingCents;
  return {
    total_cents: total,
    adjusted_total_cents: total,
    shipping_cents: shippingCents,
    tax_cents: tax,
    line_items_json: JSON.stringify(articles.map(lineOf)),
    lines_worth_cents: total - shippingCents,
    discounts_json: JSON.stringify(discount ? [{ amount: discount, description: 'Less' }] : []),
  };
};

/** A PENDING transaction, as far as actions look at it. */
const rowOf = (purchase: ReturnType<typeof purchaseOf>): TransactionRow =>
  ({
    ...purchase,
    status: 'PENDING',
    canceled_cents: 0,
    refunded_cents: 0,
    adjusted_quantities_json: '[]',
    merchant_order_id: '',
    card_cents: 0,
    card_reference: '',
    card_label: '',
  }) as TransactionRow;

const authorizeWith = (articles: readonly Article[]): ActionRequest => ({
  type: 'authorize',
  lineItems: articles.map(lineOf),
  merchantOrderId: undefined,
});
const byAmount = (type: 'cancel' | 'refund', amount: number): ActionRequest => ({ type, amount, lineItems: undefined });
const byPieces = (sku: string, quantity: number): ActionRequest => ({
  type: 'refund',
  amount: undefined,
  lineItems: [{ sku, quantity }],
});

/** An order with prices of whole dollars, so that each percent of tax and discount is a whole cent of each piece. */
function givenOrder(random: SeededRandom) {
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

describe('The lines of an authorization after a cancellation by amount', () => {
  it.each(samples(300, 20_261_122, (random) => ({ seed: random.integer(0, 1e9), ...givenOrder(random) })))(
    'are refunded piece by piece at the price of the sale: %j',
    ({ seed, articles, terms, isShippingCanceled }) => {
      const random = seededRandom(seed);
      const soldFor = (price: number) => (price * (100 + terms.taxPercent - terms.discountPercent)) / 100;
      const remaining = articles
        .map((article) => ({ ...article, quantity: random.integer(0, article.quantity) }))
        .filter(({ quantity }) => quantity > 0);
      if (remaining.length === 0) remaining.push({ ...articles[0]!, quantity: 1 });
      const shipping = isShippingCanceled ? 0 : terms.shippingCents;
      const canceled = soldFor(priceOf(articles) - priceOf(remaining)) + terms.shippingCents - shipping;

      let row = rowOf(purchaseOf(articles, terms));
      const step = (request: ActionRequest) => {
        const { after, event } = decide(row, request, now);
        row = after;
        return event.amount_cents;
      };
      if (canceled > 0) step(byAmount('cancel', canceled));
      // In another order than before, so that they are others even when nothing was canceled.
      step(authorizeWith(remaining.toReversed()));
      step({ type: 'settle' });

      const pieces = remaining.flatMap(({ sku, price, quantity }) => Array.from({ length: quantity }, () => ({ sku, price })));
      for (let left = pieces.length; left > 0; left--) {
        const [{ sku, price }] = pieces.splice(random.integer(0, left - 1), 1) as [Article];
        expect(step(byPieces(sku, 1))).toBe(soldFor(price) + (left === 1 ? shipping : 0));
      }
      expect(row).toMatchObject({ status: 'REFUNDED', adjusted_total_cents: 0 });
    },
  );

  it.each(
    samples(300, 20_261_123, (random) => ({
      seed: random.integer(0, 1e9),
      before: givenOrder(random),
      after: givenOrder(random).articles,
    })),
  )('are never worth more than the remainder, nor less than zero: %j', ({ seed, before, after }) => {
    const random = seededRandom(seed);
    let row = rowOf(purchaseOf(before.articles, before.terms));
    for (let cancels = random.integer(0, 3); cancels > 0 && row.adjusted_total_cents > 1; cancels--) {
      row = decide(row, byAmount('cancel', random.integer(1, row.adjusted_total_cents - 1)), now).after;
    }
    const left = row.adjusted_total_cents;
    row = decide(row, authorizeWith(after), now).after;
    row = decide(row, { type: 'settle' }, now).after;

    const gross = priceOf(after);
    const pieces = after.flatMap(({ sku, price, quantity }) => Array.from({ length: quantity }, () => ({ sku, price })));
    const moved: { price: number; cents: number }[] = [];
    while (pieces.length > 0) {
      const [{ sku, price }] = pieces.splice(random.integer(0, pieces.length - 1), 1) as [Article];
      const { after: next, event } = decide(row, byPieces(sku, 1), now);
      moved.push({ price, cents: event.amount_cents });
      row = next;
    }
    expect(sum(moved.map(({ cents }) => cents))).toBe(left);
    expect(row).toMatchObject({ status: 'REFUNDED', adjusted_total_cents: 0 });

    // Each but the last, which has the shipping, moved its part of what all were worth together, by its price.
    const worth = row.lines_worth_cents;
    expect(worth).toBeGreaterThanOrEqual(Math.max(0, left - before.terms.shippingCents));
    expect(worth).toBeLessThanOrEqual(left);
    for (const { price, cents } of moved.slice(0, -1)) expect(Math.abs(cents - (worth * price) / gross)).toBeLessThan(3);
  });
});

describe('Two items at $300 and one at $400, the latter canceled by its amount and omitted from the authorization', () => {
  const [two, one] = [
    { sku: 'A', price: 30_000, quantity: 2 },
    { sku: 'B', price: 40_000, quantity: 1 },
  ];
  const given = async () => {
    const database = await createDatabase();
    const { merchantId, givenPurchase } = await givenBuying(database, now);
    const id = await givenPurchase(purchaseOf([two, one], { shippingCents: 700 }));
    const acted = async (...requests: ActionRequest[]) => {
      let left = NaN;
      for (const request of requests) {
        ({ adjusted_total_cents: left } = await act(
          { database, lifetimes, actor: 'key:12345678' },
          { merchantId, id },
          request,
          now,
        ));
      }
      return left;
    };
    await acted(byAmount('cancel', 40_000));
    return acted;
  };

  it('are refunded at $300 each, the last with shipping', async () => {
    const acted = await given();
    expect(await acted(authorizeWith([two]), { type: 'settle' }, byPieces('A', 1))).toBe(30_700);
    expect(await acted(byPieces('A', 1))).toBe(0);
  });

  it('are refunded at $300 each if the authorization repeats all lines', async () => {
    const acted = await given();
    expect(await acted(authorizeWith([two, one]), { type: 'settle' }, byPieces('A', 1))).toBe(30_700);
  });
});
