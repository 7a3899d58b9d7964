import { createHmac, createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeCheckout } from '../../support/checkout.ts';
import { fetchResponse, startService, type TestService } from '../../support/service.ts';
import {
  compact,
  startIssuer,
  issued,
  newKey,
  ownKey,
  secondsNow,
  signed,
  type TestIssuer,
  type TestKey,
} from '../../support/tokens.ts';
import { until } from '../../support/time.ts';

const iss = 'https://id.example/';
const aud = 'https://pay.example/platform';
const tenant = '01990000-0000-7000-8000-00000000000a';
const otherTenant = '01990000-0000-7000-8000-00000000000b';

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

const claims = (over: Record<string, unknown> = {}) => ({
  iss,
  aud,
  iat: secondsNow(),
  exp: secondsNow() + 600,
  TenantID: tenant,
  scope: 'r:application',
  ...over,
});

const request = ({ publicUrl }: Pick<TestService, 'publicUrl'>, token: string, query = '') =>
  fetchResponse(`${publicUrl}/api/application${query}`, { headers: { authorization: `Bearer ${token}` } });

describe('The tokens of an outside issuer', () => {
  let service: TestService;
  let issuer: TestIssuer;
  let own: TestKey;
  const keys: Record<string, TestKey> = {};
  beforeAll(async () => {
    for (const algorithm of algorithms) keys[algorithm] = await newKey(`key-${algorithm}`, algorithm);
    keys['encrypting'] = await newKey('encrypting', 'ES256', { use: 'enc' });
    keys['twin'] = await newKey('key-ES256', 'ES512');
    keys['shortened'] = await newKey('shortened', 'RS256', { n: 'AQAB' });
    keys['private'] = await newKey('private', 'ES384');
    keys['private'].publicJwk = keys['private'].privateKey.export({ format: 'jwk' });
    Object.assign(keys['private'].publicJwk, { kid: 'private', alg: 'ES384' });
    const secret = { kid: 'secret', publicJwk: { kty: 'oct', kid: 'secret', k: Buffer.from('secret').toString('base64url') } };
    issuer = await startIssuer([...Object.values(keys), secret as TestKey]);
    const tokenIssuer = { issuer: iss, jwksUrl: issuer.jwksUrl, audience: aud, tenants: [tenant] };
    service = await startService('sqlite', { tokenIssuer });
    own = await ownKey(service.database);
  });

  it.each(algorithms)('are accepted when they are signed with %s', async (algorithm) => {
    const { status, body } = await request(service, await issued(keys[algorithm]!, claims()));
    expect([status, body]).toEqual([200, { applications: [] }]);
  });

  it('are accepted for a tenant in any letter case', async () => {
    expect((await request(service, signed(keys['ES256']!, claims({ TenantID: tenant.toUpperCase() })))).status).toBe(200);
  });

  it('are accepted without a key ID if exactly one key fits', async () => {
    expect((await request(service, signed(keys['ES256']!, claims(), { kid: undefined }))).status).toBe(200);
  });

  const spki = () => createPublicKey(keys['RS256']!.privateKey).export({ type: 'spki', format: 'pem' });
  const hmac = (secret: string | Buffer, kid: string) => {
    const input = compact({ alg: 'HS256', kid }, claims()).slice(0, -1);
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  it.each<[string, () => string, number, string]>([
    ['not signed', () => compact({ alg: 'none' }, claims()), 401, 'TOKEN_ALGORITHM_REFUSED'],
    ['HS256 with a public key for its secret', () => hmac(spki(), 'key-RS256'), 401, 'TOKEN_ALGORITHM_REFUSED'],
    ['HS256 with a secret they publish', () => hmac('secret', 'secret'), 401, 'TOKEN_ALGORITHM_REFUSED'],
    [
      'of an algorithm they do not use',
      () => signed(keys['ES256']!, claims(), { alg: 'ES256K' }),
      401,
      'TOKEN_ALGORITHM_REFUSED',
    ],
    ['of another algorithm than their key', () => signed(keys['ES256']!, claims(), { alg: 'RS256' }), 401, 'TOKEN_KEY_UNKNOWN'],
    ['signed with a key for encrypting', () => signed(keys['encrypting']!, claims()), 401, 'TOKEN_KEY_UNKNOWN'],
    ['signed with a key whose private half they publish', () => signed(keys['private']!, claims()), 401, 'TOKEN_KEY_UNKNOWN'],
    ['signed with a key too short', () => signed(keys['shortened']!, claims()), 401, 'TOKEN_KEY_UNKNOWN'],
    ['signed with a key they do not have', () => signed(keys['ES256']!, claims(), { kid: 'other' }), 401, 'TOKEN_KEY_UNKNOWN'],
    [
      'of no key that they name, where several fit',
      () => signed(keys['RS256']!, claims(), { kid: undefined }),
      401,
      'TOKEN_KEY_UNKNOWN',
    ],
    ['signed with our key', () => signed(own, claims()), 401, 'TOKEN_KEY_UNKNOWN'],
    ['changed', () => `${signed(keys['ES256']!, claims()).slice(0, -20)}${'A'.repeat(20)}`, 401, 'TOKEN_SIGNATURE_WRONG'],
    ['signed by them in our name', () => signed(keys['ES256']!, claims({ iss: service.publicUrl })), 401, 'TOKEN_KEY_UNKNOWN'],
    [
      'for us by our own name, where another was agreed',
      () => signed(keys['ES256']!, claims({ aud: service.publicUrl })),
      401,
      'TOKEN_AUDIENCE_WRONG',
    ],
    ['of nearly their name', () => signed(keys['ES256']!, claims({ iss: 'https://id.example' })), 401, 'TOKEN_ISSUER_UNKNOWN'],
    ['expired', () => signed(keys['ES256']!, claims({ exp: secondsNow() - 31 })), 401, 'TOKEN_EXPIRED'],
    ['of no end', () => signed(keys['ES256']!, claims({ exp: undefined })), 401, 'TOKEN_CLAIM_INVALID'],
    ['of no tenant', () => signed(keys['ES256']!, claims({ TenantID: undefined })), 401, 'TOKEN_CLAIM_INVALID'],
    [
      'of a tenant inside another claim',
      () => signed(keys['ES256']!, claims({ TenantID: undefined, 'https://id.example/claims': { TenantID: tenant } })),
      401,
      'TOKEN_CLAIM_INVALID',
    ],
    [
      'of a tenant it may not speak for',
      () => signed(keys['ES256']!, claims({ TenantID: otherTenant })),
      403,
      'TOKEN_TENANT_REFUSED',
    ],
    ['of several tenants', () => signed(keys['ES256']!, claims({ TenantID: [tenant, otherTenant] })), 401, 'TOKEN_CLAIM_INVALID'],
    ['without the scope', () => signed(keys['ES256']!, claims({ scope: 'openid' })), 403, 'SCOPE_MISSING'],
  ])('are rejected if they are %s', async (_name, make, status, reason) => {
    const token = make();
    const response = await request(service, token);
    expect([response.status, response.body.reason]).toEqual([status, reason]);
    for (const piece of token.split('.').filter((one) => one.length > 8)) expect(response.text).not.toContain(piece);
  });

  it.each<[string, () => Record<string, unknown>, string, object]>([
    [
      'have no iat',
      () => ({ iat: undefined }),
      'TOKEN_CLAIM_INVALID',
      { claim: 'iat', expected: 'a number of seconds since 1970', received: 'none' },
    ],
    [
      'have a text as iat',
      () => ({ iat: '1' }),
      'TOKEN_CLAIM_INVALID',
      { claim: 'iat', expected: 'a number of seconds since 1970', received: 'a string' },
    ],
    ['were issued in the future', () => ({ iat: secondsNow() + 60 }), 'TOKEN_NOT_YET_VALID', { claim: 'iat' }],
    [
      'are valid for more than a day',
      () => ({ exp: secondsNow() + 86_410 }),
      'TOKEN_CLAIM_INVALID',
      { claim: 'exp', expected: 'at most 86400 seconds after iat', received: 'a later time' },
    ],
  ])('are rejected if they %s', async (_name, over, reason, metadata) => {
    const { status, body } = await request(service, signed(keys['ES256']!, claims(over())));
    expect([status, body.reason, body.metadata]).toEqual([401, reason, metadata]);
  });

  it('are accepted if they are valid for a day, and if the clock of the issuer is slightly fast', async () => {
    const now = secondsNow();
    for (const over of [{ iat: now, exp: now + 86_400 }, { iat: now + 20 }]) {
      expect((await request(service, signed(keys['ES256']!, claims(over)))).status).toBe(200);
    }
  });

  it('cause no authentication error for a tenant that the issuer is not trusted for, because another token would not help', async () => {
    const response = await request(service, signed(keys['ES256']!, claims({ TenantID: otherTenant })));
    expect(response.headers.get('www-authenticate')).toBe(null);
    expect(response.body.metadata).toEqual({ claim: 'TenantID' });
  });

  it('are verified with keys that were fetched once', () => {
    expect(issuer.requestCount).toBe(1);
  });
});

it('A trusted issuer for all tenants can list applications of a tenant', async () => {
  const key = await newKey('theirs');
  const { jwksUrl } = await startIssuer([key]);
  const service = await startService('sqlite', { tokenIssuer: { issuer: iss, jwksUrl, tenants: 'all' } });
  const [seller, other] = [await service.createMerchant(), await service.createMerchant()];
  await completeCheckout(seller);
  const of = (over: Record<string, unknown>) => signed(key, claims({ aud: service.publicUrl, ...over }));

  const listed = async (token: string) => (await request(service, token)).body.applications.length as number;
  expect(await listed(of({ TenantID: seller.tenantId }))).toBe(1);
  expect(await listed(of({ TenantID: seller.tenantId, MerchantID: seller.merchantId }))).toBe(1);
  expect(await listed(of({ TenantID: other.tenantId }))).toBe(0);
  expect(await listed(of({ TenantID: other.tenantId, MerchantID: seller.merchantId }))).toBe(0);
});

it('The subject of another issuer’s token is logged as a hash, because it can be an e-mail address', async () => {
  const key = await newKey('theirs');
  const { jwksUrl } = await startIssuer([key]);
  const service = await startService('sqlite', { tokenIssuer: { issuer: iss, jwksUrl, tenants: 'all' } });
  const { tenantId } = await service.createMerchant();
  const token = signed(key, claims({ aud: service.publicUrl, TenantID: tenantId, sub: 'jane.doe@id.example' }));

  expect((await request(service, token)).status).toBe(200);
  const line = await until(() =>
    service.logged.map((one) => JSON.parse(one) as Record<string, unknown>).find(({ route }) => route === '/api/application'),
  );
  expect(line).toMatchObject({ tenantId, issuer: iss, subject: expect.stringMatching(/^sha256:[0-9a-f]{16}$/) });
  expect(service.logged.join('')).not.toContain('jane');
});

describe('While an outside issuer does not respond', () => {
  const given = async (response: TestIssuer['respond']) => {
    const issuer = await startIssuer();
    issuer.respond = response;
    const tokenIssuer = { issuer: iss, jwksUrl: issuer.jwksUrl, tenants: 'all' as const };
    return { issuer, service: await startService('sqlite', { tokenIssuer }) };
  };

  it('its tokens receive 503 with Retry-After', async () => {
    const { issuer, service } = await given((_request, response) => void response.writeHead(500).end('no'));
    const key = await newKey('theirs');
    const responses = await Promise.all(Array.from({ length: 20 }, () => request(service, signed(key, claims()))));
    for (const { status, body, headers } of responses) {
      expect([status, body.reason, headers.get('retry-after')]).toEqual([503, 'ISSUER_UNAVAILABLE', '5']);
      expect(headers.get('www-authenticate')).toBe(null);
    }
    expect(issuer.requestCount).toBe(1);
    const texts = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ at }) => at === 'issuer');
    expect(texts).toMatchObject([{ level: 40, failure: 'expected the status 200, but received 500' }]);
  });

  it('the request to it times out after two seconds, and the service’s own tokens do not wait for it', async () => {
    const { issuer, service } = await given(() => undefined);
    const merchant = await service.createMerchant();
    const theirs = request(service, signed(await newKey('theirs'), claims()));
    let isOver = false;
    void theirs.then(() => (isOver = true));

    const key = await ownKey(service.database);
    const token = signed(key, claims({ iss: service.publicUrl, aud: service.publicUrl, TenantID: merchant.tenantId }));
    expect((await request(service, token)).status).toBe(200);
    expect(isOver).toBe(false);
    expect(await theirs).toMatchObject({ status: 503, body: { reason: 'ISSUER_UNAVAILABLE' } });
    expect(issuer.requestCount).toBe(1);
  });
});
