import { describe, expect, it } from 'vitest';
import { fetchResponse, startService } from '../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('Authentication of the merchant API', () => {
  const request = (authorization?: string, path = '/aslowas') =>
    fetchResponse(service.publicUrl + path, {
      method: 'POST',
      body: '{"customTotal":50000}',
      ...(authorization !== undefined && { headers: { authorization } }),
    });
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  it('accepts the API key as user name and the secret as password [AUTH-1] [CLIENT-21]', async () => {
    expect(await request(basic(merchant.apiKey, merchant.secret))).toMatchObject({ status: 200 });
  });

  describe('responds 401 with the error body to [AUTH-3] [ERR-2]', () => {
    it.each([
      ['no header', () => undefined],
      ['an empty header', () => ''],
      ['another scheme', () => 'Bearer abc'],
      ['invalid base64', () => 'Basic %%%'],
      ['no colon', () => `Basic ${Buffer.from('abc').toString('base64')}`],
      ['an unknown key', () => basic('ft_sandbox_key_unknown', merchant.secret)],
      ['an invalid secret', () => basic(merchant.apiKey, `${merchant.secret}x`)],
      ['an empty secret', () => basic(merchant.apiKey, '')],
      ['an empty key', () => basic('', merchant.secret)],
      ['the secret as user name', () => basic(merchant.secret, merchant.apiKey)],
      ['a NUL in the key', () => basic('a\0b', 'c')],
      ['a key of 10,000 characters', () => basic('k'.repeat(10_000), 'c')],
    ])('%s', async (_title, header) => {
      const response = await request(header());
      expect(response.status).toBe(401);
      expect(response.body).toEqual({
        description: expect.any(String),
        error: true,
        type: 'INTERNAL_ERROR',
        code: 'unauthenticated',
      });
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    });
  });

  it.each(['/aslowas', '/carts', '/transactions/actions/x', '/sandbox/checkouts', '/carts/x/unknown'])(
    'precedes all other checks at %s [AUTH-3]',
    async (path) => {
      expect(await request(undefined, path)).toMatchObject({ status: 401 });
    },
  );

  it('rejects key pairs of another environment, which has its own database [AUTH-4]', async () => {
    const otherEnvironment = await (await startService()).createMerchant();
    expect(await otherEnvironment.post('/aslowas', { customTotal: 50_000 })).toMatchObject({ status: 200 });
    const response = await request(basic(otherEnvironment.apiKey, otherEnvironment.secret));
    expect(response).toMatchObject({ status: 401, body: { error: true, code: 'unauthenticated' } });
  });

  it('rejects the secret of another merchant', async () => {
    const other = await service.createMerchant();
    expect(await request(basic(merchant.apiKey, other.secret))).toMatchObject({ status: 401 });
  });

  it('neither stores nor logs secrets', async () => {
    const rows = await service.database.query.selectFrom('merchant_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(merchant.secret);
    await request(basic(merchant.apiKey, merchant.secret));
    expect(service.logged.join('')).not.toContain(merchant.secret);
  });
});
