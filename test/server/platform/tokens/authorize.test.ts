import { gzipSync } from 'node:zlib';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { hashSecret, newKeyPair } from '../../../../server/merchants/keys.ts';
import { exchange } from '../../../support/http.ts';
import { type ApiResponse, fetchResponse, startService } from '../../../support/service.ts';
import { createRetiredKeyPair, secondsNow } from '../../../support/tokens.ts';

const service = await startService();
const merchant = await service.createMerchant();
const other = await service.createMerchant();
const retired = await createRetiredKeyPair(service, merchant.merchantId);

describe('POST /api/auth/service/authorize', () => {
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const asBasic = ({ apiKey, secret }: { apiKey: string; secret: string }) => ({ authorization: basic(apiKey, secret) });
  const request = (headers: Record<string, string> = {}, body?: string | Uint8Array, path = '/api/auth/service/authorize') =>
    fetchResponse(service.publicUrl + path, { method: 'POST', headers, ...(body !== undefined && { body: body as string }) });
  const pair = ({ apiKey, secret }: { apiKey: string; secret: string }) => JSON.stringify({ apiKey, secret });
  const list = (token: string) =>
    fetchResponse(`${service.publicUrl}/api/application`, { headers: { authorization: `Bearer ${token}` } });

  it.each<[string, () => Promise<ApiResponse>]>([
    ['HTTP Basic and no body', () => request(asBasic(merchant))],
    ['HTTP Basic and an empty object', () => request(asBasic(merchant), '{}')],
    ['HTTP Basic and unknown fields', () => request(asBasic(merchant), '{"grant":"all","TenantID":"x"}')],
    ['a key pair in the body', () => request({}, pair(merchant))],
    [
      'a key pair in a body with the content type of a form',
      () => request({ 'content-type': 'application/x-www-form-urlencoded' }, pair(merchant)),
    ],
    ['the same key pair in the header and the body', () => request(asBasic(merchant), pair(merchant))],
    [
      'a scheme in another letter case',
      () => request({ authorization: basic(merchant.apiKey, merchant.secret).replace('Basic', 'bAsIc') }),
    ],
  ])('issues a token for %s', async (_title, call) => {
    const { status, headers, body } = await call();
    expect([status, Object.keys(body)]).toEqual([200, ['token']]);
    expect(headers.get('cache-control')).toBe('no-store');
    const claims = decodeJwt(body.token);
    expect(claims).toEqual({
      iss: service.publicUrl,
      aud: service.publicUrl,
      sub: merchant.merchantId,
      iat: expect.any(Number),
      exp: claims.iat! + 3_600,
      TenantID: merchant.tenantId,
      MerchantID: merchant.merchantId,
      scope: 'r:application',
    });
    expect(Math.abs(claims.iat! - secondsNow())).toBeLessThan(30);
    expect(decodeProtectedHeader(body.token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(await list(body.token)).toMatchObject({ status: 200, body: { applications: [] } });
  });

  it.each<[string, () => Promise<ApiResponse>]>([
    ['no credentials', () => request()],
    ['an array of key pairs', () => request({}, `[${pair(merchant)}]`)],
    ['a wrong secret', () => request(asBasic({ ...merchant, secret: other.secret }))],
    ['a wrong secret in the body', () => request({}, pair({ ...merchant, secret: other.secret }))],
    ['a key and no secret in the body', () => request({}, JSON.stringify({ apiKey: merchant.apiKey }))],
    ['a secret and no key in the body', () => request({}, JSON.stringify({ secret: merchant.secret }))],
    ['the stored hash of the secret', () => request(asBasic({ ...merchant, secret: hashSecret(merchant.secret) }))],
    ['an unknown key', () => request(asBasic(newKeyPair('sandbox')))],
    ['a retired key', () => request(asBasic(retired))],
    ['key pairs of two merchants', () => request(asBasic(merchant), pair(other))],
    ['a valid header and an invalid body', () => request(asBasic(merchant), pair({ ...merchant, secret: 'wrong' }))],
    ['an invalid header and a valid body', () => request(asBasic({ ...merchant, secret: 'wrong' }), pair(merchant))],
    ['a valid header and a body without a secret', () => request(asBasic(merchant), JSON.stringify({ apiKey: merchant.apiKey }))],
    ['Basic with a NUL', () => request(asBasic({ apiKey: `${merchant.apiKey}\0`, secret: merchant.secret }))],
  ])('responds with 401 to %s', async (_title, call) => {
    const { status, headers, body } = await call();
    expect([status, body]).toEqual([
      401,
      {
        message: expect.stringContaining('Expected the key pair of a merchant'),
        reason: 'UNAUTHENTICATED',
        domain: 'platform.fairterm',
        metadata: {},
      },
    ]);
    expect(headers.get('www-authenticate')).toBe('Basic realm="fairterm", charset="UTF-8"');
  });

  it('responds with 401 to two valid Authorization headers', async () => {
    const authorization = `Authorization: ${basic(merchant.apiKey, merchant.secret)}\r\n`;
    const head = `POST /api/auth/service/authorize HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${authorization}${authorization}\r\n`;
    const { responses } = await exchange(Number(new URL(service.publicUrl).port), head);
    expect(responses).toMatchObject([{ status: 401, body: { reason: 'UNAUTHENTICATED' } }]);
  });

  it.each<[string, string | Uint8Array, number, string]>([
    ['invalid JSON', '{"apiKey":', 400, 'INVALID_REQUEST'],
    ['a form', 'apiKey=a&secret=b', 400, 'INVALID_REQUEST'],
    ['a key that is a number', '{"apiKey":7,"secret":"x"}', 400, 'INVALID_REQUEST'],
    ['a secret in an array', '{"apiKey":"a","secret":["x"]}', 400, 'INVALID_REQUEST'],
    ['a NUL in a key', '{"apiKey":"a\\u0000","secret":"x"}', 400, 'INVALID_REQUEST'],
    ['a key of 1,000 characters', JSON.stringify({ apiKey: 'a'.repeat(1_000), secret: 'x' }), 400, 'INVALID_REQUEST'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'INVALID_REQUEST'],
    ['one byte more than 4 KiB', ' '.repeat(4_097), 413, 'BODY_TOO_LARGE'],
    ['an empty object, compressed', gzipSync('{}'), 415, 'UNSUPPORTED_ENCODING'],
  ])('rejects a body with %s', async (_title, sent, status, reason) => {
    const headers: Record<string, string> = sent instanceof Buffer ? { 'content-encoding': 'gzip' } : {};
    const response = await request({ ...asBasic(merchant), ...headers }, sent);
    expect([response.status, response.body.reason, response.body.domain]).toEqual([status, reason, 'platform.fairterm']);
  });

  it('rejects a wrong secret before the body is received', async () => {
    const head = [
      'POST /api/auth/service/authorize HTTP/1.1',
      'Host: x',
      'Content-Length: 4000',
      `Authorization: ${basic(merchant.apiKey, 'wrong')}`,
    ];
    const { responses } = await exchange(Number(new URL(service.publicUrl).port), `${head.join('\r\n')}\r\n\r\n`);
    expect(responses).toMatchObject([{ status: 401, body: { reason: 'UNAUTHENTICATED' } }]);
  });

  it('issues tokens with the real time, regardless of the sandbox clock', async () => {
    const otherService = await startService();
    const otherMerchant = await otherService.createMerchant();
    await otherMerchant.post('/sandbox/clock', { now: '2099-01-01T00:00:00Z' });
    const { token } = (await otherMerchant.post('/api/auth/service/authorize')).body;
    expect(Math.abs(decodeJwt(token).iat! - secondsNow())).toBeLessThan(30);
    const listed = await fetchResponse(`${otherService.publicUrl}/api/application`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(listed.status).toBe(200);
  });
});
