import { describe, expect, it } from 'vitest';
import { startStorefront, shopOrigin, mobileOrigin, otherOrigin } from './pages.ts';

const { service } = await startStorefront();

describe('A preflight request', () => {
  const request = (path: string, headers: Record<string, string>) =>
    fetch(service.publicUrl + path, { method: 'OPTIONS', headers });
  const requestHeaders = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };

  it.each([shopOrigin, mobileOrigin, otherOrigin])('allows JSON from a page of %s', async (origin) => {
    const { status, headers } = await request('/storefront/carts', { origin, ...requestHeaders });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(headers.get('access-control-allow-methods')).toBe('POST');
    expect(headers.get('access-control-allow-headers')).toBe('content-type');
    expect(headers.get('access-control-max-age')).toBe('86400');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toBe('origin');
  });

  it.each([['https://evil.example'], ['null'], ['']])('does not allow a page of %j', async (origin) => {
    const { status, headers } = await request('/storefront/carts', { ...(origin && { origin }), ...requestHeaders });
    expect(status).toBe(204);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
