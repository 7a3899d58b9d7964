import { gzipSync } from 'node:zlib';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { outwardAddress } from '../../../support/network.mjs';
import { exchange } from '../../../support/http.ts';
import { type ApiResponse, fetchResponse, startService } from '../../../support/service.ts';
import { byOutcome } from '../../../support/tables.ts';
import { createRetiredKeyPair } from '../../../support/tokens.ts';

/** Body of a token request. A buffer is not checked against the OpenAPI document, for example an empty scope. */
type Form = Record<string, string> | string | Buffer<ArrayBuffer>;

const service = await startService();
const merchant = await service.createMerchant();
const other = await service.createMerchant();
const retired = await createRetiredKeyPair(service, merchant.merchantId);

describe('POST /oauth/token', () => {
  const grant = { grant_type: 'client_credentials' };
  const client = ({ apiKey, secret } = merchant) => ({ client_id: apiKey, client_secret: secret });
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });
  const auth = () => basic(merchant.apiKey, merchant.secret);
  const percentEncode = (text: string) => Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  const send = (form: Form, headers: Record<string, string> = {}, path = '/oauth/token') =>
    fetchResponse(service.publicUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof form === 'string' || Buffer.isBuffer(form) ? form : new URLSearchParams(form).toString(),
    });

  it.each<[string, () => Promise<ApiResponse>]>([
    ['with client_secret_basic', () => send(grant, auth())],
    ['with client_secret_post', () => send({ ...grant, ...client() })],
    ['with a percent-encoded key pair', () => send(grant, basic(percentEncode(merchant.apiKey), percentEncode(merchant.secret)))],
    ['with a scope', () => send({ ...grant, scope: 'r:application' }, auth())],
    ['with an empty scope', () => send(Buffer.from('grant_type=client_credentials&scope='), auth())],
    ['with the same client_id in the header and the form', () => send({ ...grant, client_id: merchant.apiKey }, auth())],
    [
      'with a charset in the content type',
      () => send(grant, { ...auth(), 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
    ],
  ])('issues a token to a client %s', async (_title, call) => {
    const { status, headers, body } = await call();
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600, scope: 'r:application' },
    ]);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    const { TenantID, MerchantID, iat, exp } = decodeJwt(body.access_token);
    expect([TenantID, MerchantID, exp! - iat!]).toEqual([merchant.tenantId, merchant.merchantId, 3_600]);
    const authorization = `Bearer ${body.access_token}`;
    expect((await fetchResponse(`${service.publicUrl}/api/application`, { headers: { authorization } })).status).toBe(200);
  });

  it.each(
    byOutcome<() => Promise<ApiResponse>>({
      '401 invalid_client': {
        'no credentials': () => send(grant),
        'a wrong secret': () => send(grant, basic(merchant.apiKey, other.secret)),
        'a wrong secret in the body': () => send({ ...grant, ...client({ ...merchant, secret: 'x' }) }),
        'a retired key': () => send(grant, basic(retired.apiKey, retired.secret)),
        'a key and no secret': () => send({ ...grant, client_id: merchant.apiKey }),
        'a secret and no key': () => send({ ...grant, client_secret: merchant.secret }),
        'a key with a NUL': () => send({ ...grant, ...client({ ...merchant, apiKey: 'a\0' }) }),
        'invalid percent-encoding': () => send(grant, basic('%', '%zz')),
        'its key pair in the query': () => send(grant, {}, `/oauth/token?${new URLSearchParams(client()).toString()}`),
        'a wrong secret and an unsupported encoding': () => sendCompressed('{', basic(merchant.apiKey, 'x')),
      },
      '400 invalid_request': {
        'credentials in the header and the form': () => send({ ...grant, ...client() }, auth()),
        'another client_id than in the header': () => send({ ...grant, client_id: other.apiKey }, auth()),
        'no grant_type': () => send({}, auth()),
        'two grant_types': () => send('grant_type=client_credentials&grant_type=client_credentials', auth()),
        'two scopes': () => send('grant_type=client_credentials&scope=r:application&scope=r:application', auth()),
        'two client_ids': () => send(`grant_type=client_credentials&client_id=${merchant.apiKey}&client_id=${merchant.apiKey}`),
        JSON: () => send(JSON.stringify({ ...grant, ...client() }), { 'content-type': 'application/json' }),
        'a multipart form': () => send('--x--', { ...auth(), 'content-type': 'multipart/form-data; boundary=x' }),
        'an empty body': () => send('', auth()),
      },
      '400 unsupported_grant_type': {
        'another grant': () => send({ grant_type: 'authorization_code', code: 'x' }, auth()),
        'a grant in upper case': () => send({ grant_type: 'CLIENT_CREDENTIALS' }, auth()),
      },
      '400 invalid_scope': {
        'another scope': () => send({ ...grant, scope: 'w:application' }, auth()),
        'an additional scope': () => send({ ...grant, scope: 'r:application openid' }, auth()),
      },
      '413 invalid_request': {
        'more than 4 KiB': () => send(`grant_type=client_credentials&x=${'y'.repeat(4_096)}`, auth()),
      },
      '415 invalid_request': {
        'a compressed form': () => sendCompressed('grant_type=client_credentials'),
      },
    }),
  )('rejects a client that sends %s', async (_title, call, outcome) => {
    const [statusText, error] = outcome.split(' ');
    const status = Number(statusText);
    const { headers, ...response } = await call();
    expect([response.status, response.body]).toEqual([
      status,
      { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) },
    ]);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="fairterm", charset="UTF-8"' : null);
    for (const secret of [merchant.secret, other.secret, retired.secret]) expect(response.text).not.toContain(secret);
  });

  function sendCompressed(form: string, headersWithAuth = auth()): Promise<ApiResponse> {
    const headers = {
      ...headersWithAuth,
      'content-type': 'application/x-www-form-urlencoded',
      'content-encoding': 'gzip',
    };
    return fetchResponse(`${service.publicUrl}/oauth/token`, { method: 'POST', headers, body: gzipSync(form) });
  }

  it('accepts a form of 4 KiB', async () => {
    const form = 'grant_type=client_credentials&x=';
    expect((await send(form + 'y'.repeat(4_096 - form.length), auth())).status).toBe(200);
  });

  it('rejects a client that sends two valid Authorization headers', async () => {
    const authorization = `Authorization: ${auth().authorization}\r\n`;
    const form = 'grant_type=client_credentials';
    const type = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n`;
    const request = `POST /oauth/token HTTP/1.1\r\nHost: x\r\n${type}${authorization}${authorization}\r\n${form}`;
    const { responses } = await exchange(Number(new URL(service.publicUrl).port), request);
    expect(responses).toMatchObject([{ status: 401, body: { error: 'invalid_client' } }]);
  });

  it.each<[string, string, number]>([
    ['GET', '/oauth/token', 405],
    ['GET', '/oauth', 404],
    ['POST', '/oauth/authorize', 404],
  ])('responds to %s %s with an OAuth error', async (method, path, status) => {
    const response = await fetchResponse(service.publicUrl + path, { method, headers: auth() });
    expect([response.status, response.body]).toEqual([
      status,
      { error: 'invalid_request', error_description: expect.any(String) },
    ]);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
  });
});

it.skipIf(outwardAddress === undefined)(
  'POST /oauth/token over plain HTTP from another machine is rejected with an OAuth error',
  async () => {
    const outward = await startService('sqlite', { host: '0.0.0.0' });
    const { port } = new URL(outward.publicUrl);
    const response = await fetchResponse(`http://${outwardAddress}:${port}/oauth/token`, { method: 'POST' });
    expect([response.status, response.body]).toEqual([
      403,
      { error: 'invalid_request', error_description: expect.stringContaining('HTTPS') },
    ]);
  },
);

it('An OAuth client can discover the token endpoint and the key that signs, without its private part, from the URL of the service', async () => {
  const metadata = (await fetchResponse(`${service.publicUrl}/.well-known/oauth-authorization-server`)).body;
  expect(metadata.issuer).toBe(service.publicUrl);
  expect(metadata.grant_types_supported).toEqual(['client_credentials']);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: merchant.apiKey,
    client_secret: merchant.secret,
  });
  const { body } = await fetchResponse(metadata.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const published = await fetchResponse(metadata.jwks_uri);
  expect(published.headers.get('cache-control')).toBe('public, max-age=300');
  const [key, ...others] = published.body.keys;
  const { kid } = decodeProtectedHeader(body.access_token);
  expect([key, others]).toEqual([
    { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid, x: expect.any(String), y: expect.any(String) },
    [],
  ]);
  expect((await fetchResponse(metadata.jwks_uri, { method: 'POST' })).status).toBe(405);
});
