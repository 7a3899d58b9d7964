import type { AuthorizedLine, LineItem } from '../../shared/wire/transaction.ts';

/** Line items of a transaction, identified by position because two of them may have the same article. */
export function lineItemsOf(lines: readonly AuthorizedLine[]): LineItem[] {
  return lines.map(({ price, quantity, sku, product }, index) => {
    const { name, sku: productSku, imageUrl, detailUrl } = product;
    return {
      id: String(index + 1),
      sku: sku ?? productSku,
      price,
      quantity,
      product: { name, sku: productSku, imageUrl, detailUrl },
    };
  });
}
