import { describe, expect, it } from 'vitest';
import { createCart, open } from '../../../support/checkout.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('A checkout link', () => {
  it.each(['/x/y', '/details/more', '/details/more/and/more', '/%00/x', '//', '//details'])(
    'responds 404 with a page to an unknown path: %s',
    async (path) => {
      const { url } = await createCart(merchant);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await fetchResponse(url + path, { method });
        expect([method, response.status, response.headers.get('content-type')]).toEqual([
          method,
          404,
          'text/html; charset=utf-8',
        ]);
      }
      expect(await open(url)).toMatchObject({ status: 200, step: 'details' });
    },
  );

  it.each(['', '/', '/details', '/nonsense'])('responds 404 with a page to an unsupported method: %j', async (path) => {
    const { url } = await createCart(merchant);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await fetchResponse(url + path, { method });
      expect([method, response.status, response.headers.get('content-type')]).toEqual([method, 404, 'text/html; charset=utf-8']);
    }
    expect(await open(url)).toMatchObject({ status: 200, step: 'details' });
  });

  it('responds 404 with a page if the code is missing', async () => {
    for (const path of ['/c/', '/c']) {
      const response = await fetchResponse(service.publicUrl + path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
  });
});
