import { createClient, createConfig } from './sdk/client/index.js';
import { actOnTransaction, createCart, getToken, listApplications, runCheckout } from './sdk/index.js';
import type { ApplicationList } from './sdk/index.js';

/** Makes a purchase with a key pair and returns the applications that a token of the same key pair lists. */
export async function purchase(baseUrl: string, key: { apiKey: string; secret: string }): Promise<ApplicationList> {
  const merchant = createClient(createConfig({ baseUrl, auth: `${key.apiKey}:${key.secret}`, throwOnError: true }));
  const cart = await createCart({ client: merchant, body: { options: { customTotal: 129_900 } }, throwOnError: true });
  const checkout = await runCheckout({ client: merchant, body: { cartId: cart.data.id }, throwOnError: true });
  const { transactionId } = checkout.data;
  await actOnTransaction({ client: merchant, path: { transactionId }, body: { type: 'authorize' }, throwOnError: true });

  const { data: token } = await getToken({
    client: createClient(createConfig({ baseUrl })),
    body: { grant_type: 'client_credentials', client_id: key.apiKey, client_secret: key.secret },
    throwOnError: true,
  });
  const platform = createClient(createConfig({ baseUrl, auth: token.access_token }));
  const { data } = await listApplications({ client: platform, query: { 'status.eq': 'CHECKOUT_COMPLETED' }, throwOnError: true });
  return data;
}
