import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

/** Creates a cart, completes its checkout, and authorizes, settles and refunds the transaction. Returns the last response. */
export async function purchase(baseUrl: string, authorization: string): Promise<components['schemas']['Transaction']> {
  const client = createClient<paths>({ baseUrl, headers: { authorization } });
  const cart = await client.POST('/carts', { body: { options: { customTotal: 129_900, orderRef: 'ORDER-1' } } });
  if (!cart.data) throw new Error(cart.error.description);
  const checkout = await client.POST('/sandbox/checkouts', { body: { cartId: cart.data.id } });
  if (!checkout.data) throw new Error(checkout.error.description);
  const params = { path: { transactionId: checkout.data.transactionId } };
  const { data: transaction } = await client.GET('/transactions/{transactionId}', { params });
  if (transaction?.total !== 129_900) throw new Error(`Expected a total of 129900, received ${transaction?.total}`);
  const act = async (body: components['schemas']['ActionRequest']) => {
    const { data, error } = await client.POST('/transactions/actions/{transactionId}', { params, body });
    if (!data) throw new Error(error.description);
    return data;
  };
  await act({ type: 'authorize', merchantOrderId: 'ORDER-1' });
  await act({ type: 'settle' });
  return act({ type: 'refund', amount: 2_500 });
}

/** Returns the error code of an invalid request. */
export async function rejectedCode(baseUrl: string, authorization: string): Promise<string | undefined> {
  const client = createClient<paths>({ baseUrl, headers: { authorization } });
  // @ts-expect-error the total is an integer
  const { error } = await client.POST('/carts', { body: { options: { customTotal: '1299.00' } } });
  return error?.code;
}
