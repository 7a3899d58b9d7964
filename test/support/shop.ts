import { createShop } from '../../demo/shop.ts';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import type { TestMerchant, TestService } from './service.ts';
import { atTheEnd } from './cleanup.ts';
import { listen } from './listen.ts';

/** The demo shop on a socket of its own, with a key pair of the service. */
export async function givenShop(service: TestService): Promise<{ shopUrl: string; merchant: TestMerchant }> {
  const { server, port, stop } = await listen();
  atTheEnd(stop);
  const shopUrl = `http://localhost:${port}`;
  const merchant = await service.givenMerchant({ name: 'Demo Shop', storeUrl: `${shopUrl}/` });

  const { apiKey, secret } = merchant;
  const callbackSecrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map((row) => row.secret);
  const keys = { apiKey, secret, callbackSecrets };
  const handle = createShop({ serviceUrl: service.publicUrl, ...keys, shopUrl, log: () => undefined }).callback();
  server.on('request', (request, response) => void handle(request, response));
  return { shopUrl, merchant };
}
