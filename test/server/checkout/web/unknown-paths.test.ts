import { expect, it } from 'vitest';
import { createCart, open } from '../../../support/checkout.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();
const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const UNSUPPORTED = ['PUT', 'PATCH', 'DELETE', 'OPTIONS'];

it.each([
  ...['/x/y', '/details/more', '/details/more/and/more', '/%00/x', '//', '//details'].map((path) => [path, ALL] as const),
  ...['', '/', '/details', '/nonsense'].map((path) => [path, UNSUPPORTED] as const),
])('The link of a checkout responds 404 with a page to the path %j with %j, and can still be opened', async (path, methods) => {
  const { url } = await createCart(merchant);
  for (const method of methods) {
    const { status, headers } = await fetchResponse(url + path, { method });
    expect([method, status, headers.get('content-type')]).toEqual([method, 404, 'text/html; charset=utf-8']);
  }
  expect(await open(url)).toMatchObject({ status: 200, step: 'details' });
});

it.each(['/c/', '/c'])('A link without a code responds 404 with a page: %s', async (path) => {
  const { status, headers } = await fetchResponse(service.publicUrl + path);
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});
