import type { AuthorizedLine, LineItem } from '../../shared/wire/transaction.ts';

/** Lines as a transaction keeps them, told apart by their position: two of them may be of the same article. */
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
