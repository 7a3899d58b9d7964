import type { Cart, CreateCartRequest, Transaction } from 'fairterm/client';
import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { standardProgram } from '../../server/as-low-as/standard-program.ts';
import type { TestMerchant } from './service.ts';

/** The standard program, as every merchant starts with it. */
export const program = standardProgram;

/** What it is quoted from. */
export const sheet = rateSheet(program);

/** What verbs of the checkout are given where nothing is to be mailed. */
export const noMail = { publicUrl: 'http://localhost', outlet: 'refused', mode: 'sandbox' } as const;

/** One chair for $750.00. */
export const chair = { name: 'Chair', sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' };

/** A cart of one chair; say only what matters. */
export async function givenCart(
  merchant: TestMerchant,
  options: Partial<CartOptions> = {},
  rest: Omit<CreateCartRequest, 'options'> = {},
): Promise<Cart> {
  return merchant.fairterm.carts.create({ ...rest, options: { items: [chair], ...options } });
}

/** A purchase of one chair, signed and PENDING. */
export async function givenTransaction(merchant: TestMerchant, options: Partial<CartOptions> = {}): Promise<string> {
  const cart = await givenCart(merchant, options);
  const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId: cart.id });
  return transactionId;
}

/** The purchase above, taken further by `actions`, each as the merchant sends it. Answers the transaction as it is then. */
export async function givenTransactionAfter(
  merchant: TestMerchant,
  actions: readonly { type: string; [field: string]: unknown }[],
  options: Partial<CartOptions> = {},
): Promise<{ id: string; transaction: Transaction }> {
  const id = await givenTransaction(merchant, options);
  const { transactions } = merchant.fairterm;
  let transaction = await transactions.retrieve(id);
  for (const { type, ...request } of actions) {
    const act = transactions[type as 'authorize' | 'settle' | 'cancel' | 'refund'].bind(transactions);
    transaction = await act(id, request);
  }
  return { id, transaction };
}
