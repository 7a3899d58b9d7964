import { createShop } from './shop.ts';

const { SERVICE_URL = 'http://localhost:4000', API_KEY, API_SECRET, HOST = '127.0.0.1', PORT = '4001' } = process.env;
const { SHOP_URL = `http://localhost:${PORT}`, CALLBACK_SECRETS = '' } = process.env;
const withoutSlash = (url: string) => url.replace(/\/+$/, '');

if (!API_KEY || !API_SECRET) {
  console.error('The shop needs a key pair: set API_KEY and API_SECRET.');
  process.exit(1);
}

const shop = createShop({
  serviceUrl: withoutSlash(SERVICE_URL),
  apiKey: API_KEY,
  secret: API_SECRET,
  shopUrl: withoutSlash(SHOP_URL),
  callbackSecrets: CALLBACK_SECRETS.split(',')
    .map((secret) => secret.trim())
    .filter(Boolean),
  // Most calls happen while a buyer waits, and callbacks that time out are retried.
  totalTimeoutMs: 10_000,
  attemptTimeoutMs: 5_000,
});
const server = shop.listen(Number(PORT), HOST, () => console.log(`The demo shop is running at ${SHOP_URL}`));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    // Browsers keep idle connections open for minutes. Active requests get two seconds.
    setTimeout(() => server.closeAllConnections(), 2_000).unref();
  });
}
