import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../../support/http.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { compact, newKey, ownKey, secondsNow, signed, type TestKey } from '../../support/tokens.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

describe('A token for the platform API', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let key: TestKey;
  let strange: TestKey;
  let sameName: TestKey;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
    key = await ownKey(service.database);
    strange = await newKey('strange');
    sameName = await newKey(key.kid);
  });

  /** Returns the claims of a valid token with the given overrides. Undefined omits a claim. */
  const claims = (over: Record<string, unknown> = {}) => ({
    iss: service.publicUrl,
    aud: service.publicUrl,
    iat: secondsNow(),
    exp: secondsNow() + 600,
    TenantID: merchant.tenantId,
    scope: 'r:application',
    ...over,
  });
  const send = (token: string) => requestWith({ authorization: `Bearer ${token}` });
  const requestWith = (headers: Record<string, string>) => fetchResponse(`${service.publicUrl}/api/application`, { headers });
  const hmac = (secret: string | Buffer) => {
    const input = compact({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' }, claims()).slice(0, -1);
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };

  it.each<[string, () => string]>([
    ['has all claims', () => signed(key, claims())],
    [
      'is for several audiences including this one',
      () => signed(key, claims({ aud: ['https://other.example', service.publicUrl] })),
    ],
    ['expired within the clock tolerance', () => signed(key, claims({ exp: secondsNow() - 10 }))],
    ['becomes valid within the clock tolerance', () => signed(key, claims({ nbf: secondsNow() + 10 }))],
    ['is of the type JWT', () => signed(key, claims(), { typ: 'JWT' })],
    ['has further scopes', () => signed(key, claims({ scope: 'openid r:application' }))],
    ['has unknown claims', () => signed(key, claims({ Merchant: 'x', roles: ['admin'] }))],
  ])('is accepted if it %s', async (_name, make) => {
    const { status, body } = await send(make());
    expect([status, body]).toEqual([200, { applications: [] }]);
  });

  it.each<[string, () => string, string, Record<string, string>?]>([
    ['is not a token', () => 'nonsense', 'TOKEN_MALFORMED'],
    ['has two parts', () => signed(key, claims()).split('.').slice(0, 2).join('.'), 'TOKEN_MALFORMED'],
    ['has four parts', () => `${signed(key, claims())}.x`, 'TOKEN_MALFORMED'],
    ['is encrypted', () => `${compact({ alg: 'dir', enc: 'A256GCM' }, {})}.x.x`, 'TOKEN_MALFORMED'],
    ['is too long', () => signed(key, claims({ padding: 'x'.repeat(8_000) })), 'TOKEN_MALFORMED'],
    ['has a payload that is a list', () => signed(key, [claims()]), 'TOKEN_MALFORMED'],
    ['has a payload that is no JSON', () => signed(key, 'claims'), 'TOKEN_MALFORMED'],
    ['says that something is critical', () => signed(key, claims(), { crit: ['exp'] }), 'TOKEN_MALFORMED'],
    ['has an unencoded payload', () => signed(key, claims(), { crit: ['b64'], b64: false }), 'TOKEN_MALFORMED'],
    ['is of another type', () => signed(key, claims(), { typ: 'logout+jwt' }), 'TOKEN_MALFORMED'],
    ['names its key by a list', () => signed(key, claims(), { kid: [key.kid] }), 'TOKEN_MALFORMED'],

    ['is not signed', () => compact({ alg: 'none' }, claims()), 'TOKEN_ALGORITHM_REFUSED', { expected: 'ES256' }],
    ['is not signed, and names a key', () => compact({ alg: 'none', kid: key.kid }, claims()), 'TOKEN_ALGORITHM_REFUSED'],
    ['is not signed, in capitals', () => compact({ alg: 'NONE' }, claims()), 'TOKEN_ALGORITHM_REFUSED'],
    ['is not signed, in capitals and not', () => compact({ alg: 'nOnE' }, claims(), 'x'), 'TOKEN_ALGORITHM_REFUSED'],
    [
      'has its algorithm swapped for HS256, keyed with the public key',
      () => hmac(JSON.stringify(key.publicJwk)),
      'TOKEN_ALGORITHM_REFUSED',
    ],
    ['is HS256 of nothing', () => hmac(''), 'TOKEN_ALGORITHM_REFUSED'],
    ['says RS256 over a signature of ES256', () => signed(key, claims(), { alg: 'RS256' }), 'TOKEN_ALGORITHM_REFUSED'],
    ['says ES384 over a signature of ES256', () => signed(key, claims(), { alg: 'ES384' }), 'TOKEN_ALGORITHM_REFUSED'],
    ['says es256', () => signed(key, claims(), { alg: 'es256' }), 'TOKEN_ALGORITHM_REFUSED'],

    ['is signed with an unknown key', () => signed(strange, claims()), 'TOKEN_KEY_UNKNOWN'],
    ['contains its own key', () => signed(strange, claims(), { jwk: strange.publicJwk }), 'TOKEN_KEY_UNKNOWN'],
    ['contains the URL of its key', () => signed(strange, claims(), { jku: 'http://127.0.0.1:9/keys' }), 'TOKEN_KEY_UNKNOWN'],
    ['names a file for its key', () => signed(strange, claims(), { kid: '../../../../dev/null' }), 'TOKEN_KEY_UNKNOWN'],
    ['names a piece of SQL for its key', () => signed(strange, claims(), { kid: "' or '1'='1" }), 'TOKEN_KEY_UNKNOWN'],
    ['names a NUL for its key', () => signed(strange, claims(), { kid: `${key.kid}\0` }), 'TOKEN_KEY_UNKNOWN'],
    ['names a prototype for its key', () => signed(strange, claims(), { kid: '__proto__' }), 'TOKEN_KEY_UNKNOWN'],

    ['is signed with another key under the name of ours', () => signed(sameName, claims()), 'TOKEN_SIGNATURE_WRONG'],
    ['is so, and brings that key along', () => signed(sameName, claims(), { jwk: sameName.publicJwk }), 'TOKEN_SIGNATURE_WRONG'],
    ['names no key, and is signed with another', () => signed(strange, claims(), { kid: undefined }), 'TOKEN_SIGNATURE_WRONG'],
    [
      'was signed before its claims were changed',
      () => changed(signed(key, claims()), claims({ TenantID: merchant.merchantId })),
      'TOKEN_SIGNATURE_WRONG',
    ],
    ['has no signature', () => signed(key, claims()).replace(/[^.]*$/, ''), 'TOKEN_SIGNATURE_WRONG'],
    ['has a signature of zeros', () => signed(key, claims()).replace(/[^.]*$/, 'A'.repeat(86)), 'TOKEN_SIGNATURE_WRONG'],
    ['has half a signature', () => signed(key, claims()).slice(0, -43), 'TOKEN_SIGNATURE_WRONG'],

    ['is of another issuer', () => signed(key, claims({ iss: 'https://id.example' })), 'TOKEN_ISSUER_UNKNOWN'],
    ['is of nearly this issuer', () => signed(key, claims({ iss: `${service.publicUrl}/` })), 'TOKEN_ISSUER_UNKNOWN'],
    ['is of no issuer', () => signed(key, claims({ iss: undefined })), 'TOKEN_CLAIM_INVALID', { claim: 'iss', received: 'none' }],
    ['is of a list of issuers', () => signed(key, claims({ iss: [service.publicUrl] })), 'TOKEN_CLAIM_INVALID', { claim: 'iss' }],

    ['is for others', () => signed(key, claims({ aud: 'https://other.example' })), 'TOKEN_AUDIENCE_WRONG', { claim: 'aud' }],
    ['has an empty audience', () => signed(key, claims({ aud: [] })), 'TOKEN_AUDIENCE_WRONG'],
    ['has no audience', () => signed(key, claims({ aud: undefined })), 'TOKEN_CLAIM_INVALID', { claim: 'aud' }],

    ['has expired', () => signed(key, claims({ exp: secondsNow() - 60 })), 'TOKEN_EXPIRED', { claim: 'exp' }],
    ['has expired in 1970', () => signed(key, claims({ exp: 0 })), 'TOKEN_EXPIRED'],
    [
      'is valid from in a minute on',
      () => signed(key, claims({ nbf: secondsNow() + 60 })),
      'TOKEN_NOT_YET_VALID',
      { claim: 'nbf' },
    ],
    ['never expires', () => signed(key, claims({ exp: undefined })), 'TOKEN_CLAIM_INVALID', { claim: 'exp', received: 'none' }],
    [
      'expires on a text',
      () => signed(key, claims({ exp: '9999999999' })),
      'TOKEN_CLAIM_INVALID',
      { claim: 'exp', received: 'a string' },
    ],
    [
      'expires in the infinite',
      () => signed(key, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999')),
      'TOKEN_CLAIM_INVALID',
      { claim: 'exp' },
    ],
    ['is valid from on a list', () => signed(key, claims({ nbf: [0] })), 'TOKEN_CLAIM_INVALID', { claim: 'nbf' }],

    ['is of no tenant', () => signed(key, claims({ TenantID: undefined })), 'TOKEN_CLAIM_INVALID', { claim: 'TenantID' }],
    [
      'is of a merchant in other capitals',
      () => signed(key, claims({ merchantID: NIL })),
      'TOKEN_CLAIM_INVALID',
      { claim: 'MerchantID' },
    ],
    ['is of the nil tenant', () => signed(key, claims({ TenantID: NIL })), 'TOKEN_CLAIM_INVALID', { claim: 'TenantID' }],
    [
      'is of a list of tenants',
      () => signed(key, claims({ TenantID: [merchant.tenantId] })),
      'TOKEN_CLAIM_INVALID',
      { claim: 'TenantID' },
    ],
    [
      'has its tenant in an object',
      () => signed(key, claims({ TenantID: undefined, claims: { TenantID: merchant.tenantId } })),
      'TOKEN_CLAIM_INVALID',
    ],
    [
      'has its tenant in a prototype',
      () =>
        signed(
          key,
          JSON.stringify(claims({ TenantID: undefined })).replace('{', `{"__proto__":{"TenantID":"${merchant.tenantId}"},`),
        ),
      'TOKEN_CLAIM_INVALID',
    ],
  ])('is rejected if it %s', async (_name, make, reason, metadata = {}) => {
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
    const texts = text + [...headers.values()].join();
    for (const piece of token.split('.').filter((one) => one.length > 8)) expect(texts).not.toContain(piece);
  });

  it.each<[string, Record<string, string>]>([
    ['not sent', {}],
    ['empty', { authorization: '' }],
    ['a scheme only', { authorization: 'Bearer' }],
    ['a scheme and a space', { authorization: 'Bearer ' }],
    ['two words', { authorization: 'Bearer a.b.c d.e.f' }],
    ['two credentials in one', { authorization: 'Bearer a.b.c, Bearer d.e.f' }],
    ['a token without a scheme', { authorization: 'a.b.c' }],
    ['a key pair', { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }],
    ['another scheme', { authorization: 'DPoP a.b.c' }],
  ])('is missing when the Authorization header is %s', async (_name, headers) => {
    const response = await requestWith(headers);
    expect([response.status, response.body.reason]).toEqual([401, 'TOKEN_MISSING']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="fairterm"');
  });

  it('is accepted with a scheme in any letter case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
      expect((await requestWith({ authorization: `${scheme} ${signed(key, claims())}` })).status).toBe(200);
    }
  });

  it('is missing when it is sent in two headers, even if they are equal', async () => {
    const authorization = `Authorization: Bearer ${signed(key, claims())}\r\n`;
    const request = `GET /api/application HTTP/1.1\r\nHost: x\r\n${authorization}${authorization}\r\n`;
    const { responses } = await exchange(Number(new URL(service.publicUrl).port), request);
    expect(responses).toMatchObject([{ status: 401, body: { reason: 'TOKEN_MISSING' } }]);
  });

  it('is missing when it is sent in the query or the body', async () => {
    const token = signed(key, claims());
    for (const query of [`access_token=${token}`, `token=${token}`]) {
      const response = await fetchResponse(`${service.publicUrl}/api/application?${query}`);
      expect([response.status, response.body.reason]).toEqual([401, 'TOKEN_MISSING']);
    }
  });

  it('is rejected if it fills the headers of a request', async () => {
    const request = `GET /api/application HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'x'.repeat(20_000)}\r\n\r\n`;
    const { responses } = await exchange(Number(new URL(service.publicUrl).port), request);
    expect(responses).toMatchObject([{ status: 431 }]);
  });

  it('is rejected without the required scope', async () => {
    for (const scope of ['', 'openid', 'r:applications', ['r:application'], null]) {
      const response = await send(signed(key, claims({ scope })));
      expect([response.status, response.body.reason]).toEqual([403, 'SCOPE_MISSING']);
    }
  });
});

/** Returns the token with different claims and the same signature. */
function changed(token: string, claims: unknown): string {
  const [head, , signature] = token.split('.');
  return `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
}
