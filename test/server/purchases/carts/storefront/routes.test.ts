import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../../../../server/lending/programs/import.ts';
import { createProgram } from '../../../../support/programs.ts';
import { fetchResponse, startService } from '../../../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant({ storeUrl: 'https://shop.example/en/', origins: ['https://m.shop.example'] });

describe('The storefront', () => {
  /** Sends a conditional request. `fetch` cannot, because it adds `cache-control: no-cache`. */
  const statusOf = async (url: string, headers: Record<string, string>) => {
    const { statusCode, body } = await request(url, { headers });
    return [statusCode, await body.text()];
  };
  const programsUrl = () => `${service.publicUrl}/storefront/programs?key=${merchant.apiKey}`;
  const programs = (headers: Record<string, string> = {}, key: string = merchant.apiKey) =>
    fetchResponse(`${service.publicUrl}/storefront/programs?key=${encodeURIComponent(key)}`, { headers });

  it('returns the merchant’s programs, which may be cached for a minute and are revalidated by ETag', async () => {
    const response = await programs({ 'accept-encoding': 'identity' });
    expect(response).toMatchObject({
      status: 200,
      body: { defaultProgramId: 'standard', programs: [{ id: 'standard', version: 1 }] },
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=86400');
    expect(await statusOf(programsUrl(), { 'if-none-match': response.headers.get('etag')! })).toEqual([304, '']);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('compresses the programs and the script for clients that accept %s', async (accepted, encoding) => {
    for (const url of [programsUrl(), `${service.publicUrl}/widget/v1/financing-button.js`]) {
      const plain = await fetchResponse(url, { headers: { 'accept-encoding': 'identity' } });
      const response = await fetchResponse(url, { headers: { 'accept-encoding': accepted } });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.text).toBe(plain.text);
      const sizeBytes = Number(response.headers.get('content-length'));
      if (encoding) expect(sizeBytes).toBeLessThan(plain.text.length / 2);
      expect(response.headers.get('vary')).toMatch(/accept-encoding/i);
      const again = { 'accept-encoding': accepted, 'if-none-match': response.headers.get('etag')! };
      expect(await statusOf(url, again)).toEqual([304, '']);
    }
  });

  it.each([
    'https://shop.example',
    'https://m.shop.example',
    'http://localhost',
    'http://localhost:5173',
    'https://localhost:3000',
    'http://127.0.0.1:8080',
    'http://[::1]:3000',
  ])('allows pages of %s', async (origin) => {
    const response = await programs({ origin });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('vary')).toBe('origin, accept-encoding');
  });

  it.each([
    'https://evil.example',
    'http://shop.example',
    'null',
    'https://shop.example.evil.example',
    'http://localhost.evil.example',
    'http://evil.localhost:3000',
    'http://127.0.0.2:3000',
    'ftp://localhost:3000',
  ])('rejects pages of %s', async (origin) => {
    const response = await programs({ origin });
    expect(response).toMatchObject({ status: 403, body: { error: true, code: 'origin-not-registered' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(['unknown', '', 'a\0b', 'x'.repeat(500), "' or 1=1 --"])('rejects the unknown key %j', async (key) => {
    expect(await programs({}, key)).toMatchObject({ status: 401, body: { error: true } });
  });

  it('omits retired programs, even the default one', async () => {
    const shop = await service.createMerchant({ storeUrl: 'https://shop.example/' });
    const retired = createProgram({ version: 2, status: 'retired' });
    await importProgram(service.database, retired, [shop.merchantId], { asDefault: false }, service.clock.now());

    expect(await programs({}, shop.apiKey)).toMatchObject({ status: 200, body: { defaultProgramId: 'standard', programs: [] } });
  });

  it('does not return the secret', async () => {
    expect((await programs()).text).not.toContain(merchant.secret);
  });
});
