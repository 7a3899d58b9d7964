import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { standardProgram } from '../../server/as-low-as/standard-program.ts';
import type { TestMerchant } from './service.ts';

/** The standard program, as every merchant starts with it. */
export const program = standardProgram;

/** What it is quoted from. */
export const sheet = rateSheet(program);

/** One chair for $750.00. */
export const chair = { name: 'Chair', sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' };

/** A cart of one chair; say only what matters. */
export async function givenCart(
  merchant: TestMerchant,
  options: Partial<CartOptions> = {},
  rest: Record<string, unknown> = {},
): Promise<{ id: string; url: string; [field: string]: unknown }> {
  const answer = await merchant.post('/carts', { ...rest, options: { items: [chair], ...options } });
  if (answer.status !== 200) throw new Error(`The cart was refused: ${answer.text}`);
  return answer.body;
}

/** A purchase of one chair, signed and PENDING. */
export async function givenTransaction(merchant: TestMerchant, options: Partial<CartOptions> = {}): Promise<string> {
  const cart = await givenCart(merchant, options);
  const answer = await merchant.post('/sandbox/checkouts', { cartId: cart.id });
  if (answer.status !== 200) throw new Error(`The checkout was refused: ${answer.text}`);
  return answer.body.transactionId;
}

/** The purchase above, taken further by `actions`, each as the merchant sends it. Answers the transaction as it is then. */
export async function givenTransactionAfter(
  merchant: TestMerchant,
  actions: readonly { type: string; [field: string]: unknown }[],
  options: Partial<CartOptions> = {},
): Promise<{ id: string; transaction: any }> {
  const id = await givenTransaction(merchant, options);
  let { body } = await merchant.get(`/transactions/${id}`);
  for (const action of actions) {
    const answer = await merchant.post(`/transactions/actions/${id}`, action);
    if (answer.status !== 200) throw new Error(`The action ${action.type} was refused: ${answer.text}`);
    body = answer.body;
  }
  return { id, transaction: body };
}
