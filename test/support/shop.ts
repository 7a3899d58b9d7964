import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createShop } from '../../demo/shop.ts';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import type { TestMerchant, TestService } from './service.ts';
import { atTheEnd } from './cleanup.ts';

/** The demo shop on a socket of its own, with a key pair of the service. */
export async function givenShop(service: TestService): Promise<{ shopUrl: string; merchant: TestMerchant }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const shopUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const merchant = await service.givenMerchant({ name: 'Demo Shop', storeUrl: `${shopUrl}/` });

  const { apiKey, secret } = merchant;
  const callbackSecrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map((row) => row.secret);
  const keys = { apiKey, secret, callbackSecrets };
  const handle = createShop({ serviceUrl: service.publicUrl, ...keys, shopUrl, log: () => undefined }).callback();
  server.on('request', (request, response) => void handle(request, response));
  atTheEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { shopUrl, merchant };
}
