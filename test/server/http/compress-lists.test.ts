import { describe, expect, it } from 'vitest';
import { chair, completeCheckout, createCart } from '../../support/checkout.ts';
import { fetchResponse, startService } from '../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();
const cart = await createCart(merchant);
for (let count = 0; count < 3; count++) await completeCheckout(merchant);
const { id: transactionId } = (await merchant.get('/transactions')).body.transactions[0];
const authorization = `Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}`;
const { token } = (await merchant.call('POST', '/api/auth/service/authorize')).body;

/** Requests a path with the key pair, or with a token below `/api/application`. */
const request = (path: string, accepted: string, { headers, ...init }: RequestInit = {}) =>
  fetchResponse(service.publicUrl + path, {
    ...init,
    headers: {
      authorization: path.startsWith('/api/application') ? `Bearer ${token}` : authorization,
      'accept-encoding': accepted,
      ...(headers as Record<string, string>),
    },
  });
const encodingOf = (response: { headers: Headers }) => response.headers.get('content-encoding');

const lists = ['/transactions', '/transactions/?limit=2', '/carts', '/events', '/api/application'];

describe('A list', () => {
  it.each(
    lists.flatMap((path): [string, string, string][] => [
      [path, 'gzip', 'gzip'],
      [path, 'gzip, deflate, br, zstd', 'br'],
    ]),
  )('%s for a client that accepts %s is compressed by %s', async (path, accepted, encoding) => {
    const plain = await request(path, 'identity');
    expect([plain.status, encodingOf(plain)]).toEqual([200, null]);
    expect(plain.text.length).toBeGreaterThan(1_024);
    const compressed = await request(path, accepted);
    expect([compressed.status, encodingOf(compressed), compressed.text]).toEqual([200, encoding, plain.text]);
    expect(compressed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(compressed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    expect(compressed.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['identity', 'zstd', 'deflate', 'gzip;q=0'])('is not compressed for a client that accepts %s', async (accepted) => {
    expect(encodingOf(await request('/transactions', accepted))).toBeNull();
  });

  it('is not compressed below 1 KiB', async () => {
    expect(encodingOf(await request('/settlements', 'gzip'))).toBeNull();
  });

  it.each(['cross-site', 'same-site', 'same-origin', 'none'])('is not compressed for a page: %s', async (site) => {
    expect(encodingOf(await request('/transactions', 'gzip', { headers: { 'sec-fetch-site': site } }))).toBeNull();
  });
});

describe('A response that can contain a secret', () => {
  it.each<[string, string, RequestInit?]>([
    ['a transaction', `/transactions/${transactionId}`],
    ['the webhooks', '/webhooks'],
    ['a token', '/api/auth/service/authorize', { method: 'POST' }],
    ['a failed list', `/carts?status=${'x'.repeat(2_000)}`],
    ['a page of the console for a link of another site', '/console/sign-in', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ])('is not compressed: %s', async (_title, path, init) => {
    expect(encodingOf(await request(path, 'gzip, br', init))).toBeNull();
  });

  it.each([new URL(cart.url).pathname, '/console/sign-in'])('is not compressed by Brotli: the page %s', async (path) => {
    expect(encodingOf(await request(path, 'br', { headers: { authorization: '' } }))).toBeNull();
  });

  it('is not compressed if it is a new cart, also when it is replayed', async () => {
    const created = () =>
      request('/carts', 'gzip, br', {
        method: 'POST',
        body: JSON.stringify({ options: { items: Array.from({ length: 20 }, (_, n) => ({ ...chair, sku: `${n}` })) } }),
        headers: { 'idempotency-key': 'one' },
      });
    const first = await created();
    const replayed = await created();
    expect([first.status, encodingOf(first), replayed.headers.get('idempotency-replayed')]).toEqual([200, null, 'true']);
    expect([replayed.text, encodingOf(replayed)]).toEqual([first.text, null]);
  });
});
