import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../../support/http.ts';
import { fetchResponse, startService } from '../../../support/service.ts';
import { byOutcome } from '../../../support/tables.ts';
import { claimsFor, compact, newKey, ownKey, secondsNow, signed } from '../../../support/tokens.ts';

const service = await startService();
const merchant = await service.createMerchant();
const key = await ownKey(service.database);
const unknownKey = await newKey('unknown');
const keyWithSameId = await newKey(key.kid);

describe('A token for the platform API', () => {
  const claims = (overrides: Record<string, unknown> = {}) =>
    claimsFor({ iss: service.publicUrl, tenantId: merchant.tenantId }, overrides);
  const tokenWith = (overrides: object = {}, header: Record<string, unknown> = {}) =>
    signed(key, claims({ ...overrides }), header);
  const send = (token: string) => requestWith({ authorization: `Bearer ${token}` });
  const requestWith = (headers: Record<string, string>) => fetchResponse(`${service.publicUrl}/api/application`, { headers });
  const hmac = (secret: string | Buffer) => {
    const input = compact({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' }, claims()).slice(0, -1);
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };

  it.each<[string, () => string]>([
    ['has all claims', () => tokenWith()],
    ['has several audiences including this one', () => tokenWith({ aud: ['https://other.example', service.publicUrl] })],
    ['expired within the clock tolerance', () => tokenWith({ exp: secondsNow() - 10 })],
    ['becomes valid within the clock tolerance', () => tokenWith({ nbf: secondsNow() + 10 })],
    ['has the type JWT', () => tokenWith({}, { typ: 'JWT' })],
    ['has additional scopes', () => tokenWith({ scope: 'openid r:application' })],
    ['has unknown claims', () => tokenWith({ Merchant: 'x', roles: ['admin'] })],
  ])('is accepted if it %s', async (_title, make) => {
    const { status, body } = await send(make());
    expect([status, body]).toEqual([200, { applications: [] }]);
  });

  it.each<[string, () => string, string, Record<string, string>?]>([
    ...byOutcome<() => string>({
      TOKEN_MALFORMED: {
        'is not a token': () => 'nonsense',
        'has two parts': () => tokenWith().split('.').slice(0, 2).join('.'),
        'has four parts': () => `${tokenWith()}.x`,
        'is encrypted': () => `${compact({ alg: 'dir', enc: 'A256GCM' }, {})}.x.x`,
        'is too long': () => tokenWith({ padding: 'x'.repeat(8_000) }),
        'has an array as payload': () => signed(key, [claims()]),
        'has a payload that is not JSON': () => signed(key, 'claims'),
        'has a critical header': () => tokenWith({}, { crit: ['exp'] }),
        'has an unencoded payload': () => tokenWith({}, { crit: ['b64'], b64: false }),
        'has another type': () => tokenWith({}, { typ: 'logout+jwt' }),
        'has an array as key id': () => tokenWith({}, { kid: [key.kid] }),
      },
      TOKEN_ALGORITHM_REFUSED: {
        'is not signed and has a key id': () => compact({ alg: 'none', kid: key.kid }, claims()),
        'is not signed, with nOnE as algorithm': () => compact({ alg: 'nOnE' }, claims(), 'x'),
        'is signed by HS256 with the public key as secret': () => hmac(JSON.stringify(key.publicJwk)),
        'is signed by HS256 with an empty secret': () => hmac(''),
        'has the algorithm RS256 and a signature by ES256': () => tokenWith({}, { alg: 'RS256' }),
        'has the algorithm ES384 and a signature by ES256': () => tokenWith({}, { alg: 'ES384' }),
        'has the algorithm es256': () => tokenWith({}, { alg: 'es256' }),
      },
      TOKEN_KEY_UNKNOWN: {
        'is signed with an unknown key': () => signed(unknownKey, claims()),
        'contains its key': () => signed(unknownKey, claims(), { jwk: unknownKey.publicJwk }),
        'has a key id with a NUL': () => signed(unknownKey, claims(), { kid: `${key.kid}\0` }),
        'has __proto__ as key id': () => signed(unknownKey, claims(), { kid: '__proto__' }),
      },
      TOKEN_SIGNATURE_WRONG: {
        'is signed with another key under the same key id': () => signed(keyWithSameId, claims()),
        'is signed with another key under the same key id, and contains it': () =>
          signed(keyWithSameId, claims(), { jwk: keyWithSameId.publicJwk }),
        'is signed with another key without a key id': () => signed(unknownKey, claims(), { kid: undefined }),
        'has other claims than those that were signed': () => withClaims(tokenWith(), claims({ TenantID: merchant.merchantId })),
        'has no signature': () => tokenWith().replace(/[^.]*$/, ''),
      },
      TOKEN_ISSUER_UNKNOWN: {
        'has another issuer': () => tokenWith({ iss: 'https://id.example' }),
        'has an issuer with a trailing slash': () => tokenWith({ iss: `${service.publicUrl}/` }),
      },
      TOKEN_AUDIENCE_WRONG: {
        'has an empty audience': () => tokenWith({ aud: [] }),
      },
      TOKEN_EXPIRED: {
        'has expired in 1970': () => tokenWith({ exp: 0 }),
      },
      TOKEN_CLAIM_INVALID: {},
    }),
    ['is not signed', () => compact({ alg: 'none' }, claims()), 'TOKEN_ALGORITHM_REFUSED', { expected: 'ES256' }],
    ['has no issuer', () => tokenWith({ iss: undefined }), 'TOKEN_CLAIM_INVALID', { claim: 'iss', received: 'none' }],
    ['has an array as issuer', () => tokenWith({ iss: [service.publicUrl] }), 'TOKEN_CLAIM_INVALID', { claim: 'iss' }],
    ['has another audience', () => tokenWith({ aud: 'https://other.example' }), 'TOKEN_AUDIENCE_WRONG', { claim: 'aud' }],
    ['has no audience', () => tokenWith({ aud: undefined }), 'TOKEN_CLAIM_INVALID', { claim: 'aud' }],
    ['has expired', () => tokenWith({ exp: secondsNow() - 60 }), 'TOKEN_EXPIRED', { claim: 'exp' }],
    ['is not valid for another minute', () => tokenWith({ nbf: secondsNow() + 60 }), 'TOKEN_NOT_YET_VALID', { claim: 'nbf' }],
    ['never expires', () => tokenWith({ exp: undefined }), 'TOKEN_CLAIM_INVALID', { claim: 'exp', received: 'none' }],
    [
      'has a string as expiry',
      () => tokenWith({ exp: '9999999999' }),
      'TOKEN_CLAIM_INVALID',
      { claim: 'exp', received: 'a string' },
    ],
    [
      'has an infinite expiry',
      () => signed(key, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999')),
      'TOKEN_CLAIM_INVALID',
      { claim: 'exp' },
    ],
    ['has an array as nbf', () => tokenWith({ nbf: [0] }), 'TOKEN_CLAIM_INVALID', { claim: 'nbf' }],
  ])('is rejected if it %s', async (_title, make, reason, metadata = {}) => {
    const token = make();
    const { status, headers, body, text } = await send(token);
    expect(body).toEqual({
      message: expect.any(String),
      reason,
      domain: 'platform.fairterm',
      metadata: expect.objectContaining(metadata),
    });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(
      /^Bearer realm="fairterm", error="invalid_token", error_description="[^"]+"$/,
    );
    const output = text + [...headers.values()].join();
    for (const part of token.split('.').filter(({ length }) => length > 8)) expect(output).not.toContain(part);
  });

  it.each<[string, Record<string, string>]>([
    ['not sent', {}],
    ['only a scheme', { authorization: 'Bearer' }],
    ['two tokens', { authorization: 'Bearer a.b.c d.e.f' }],
    ['two credentials in one header', { authorization: 'Bearer a.b.c, Bearer d.e.f' }],
    ['a key pair', { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }],
  ])('is missing if the Authorization header is %s', async (_title, headers) => {
    const response = await requestWith(headers);
    expect([response.status, response.body.reason]).toEqual([401, 'TOKEN_MISSING']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="fairterm"');
  });

  it('is accepted with a scheme in any letter case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
      expect((await requestWith({ authorization: `${scheme} ${tokenWith()}` })).status).toBe(200);
    }
  });

  it('is missing if it is sent in two headers, even if they are equal', async () => {
    const authorization = `Authorization: Bearer ${tokenWith()}\r\n`;
    const request = `GET /api/application HTTP/1.1\r\nHost: x\r\n${authorization}${authorization}\r\n`;
    const { responses } = await exchange(Number(new URL(service.publicUrl).port), request);
    expect(responses).toMatchObject([{ status: 401, body: { reason: 'TOKEN_MISSING' } }]);
  });

  it('is missing if it is sent in the query', async () => {
    const token = tokenWith();
    for (const query of [`access_token=${token}`, `token=${token}`]) {
      const response = await fetchResponse(`${service.publicUrl}/api/application?${query}`);
      expect([response.status, response.body.reason]).toEqual([401, 'TOKEN_MISSING']);
    }
  });
});

/** Returns the token with other claims and the same signature. */
function withClaims(token: string, claims: unknown): string {
  const [head, , signature] = token.split('.');
  return `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
}
