import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeCheckout } from '../../../support/checkout.ts';
import { fetchResponse, startService, type TestService } from '../../../support/service.ts';
import {
  claimsFor,
  compact,
  startIssuer,
  issued,
  newKey,
  ownKey,
  secondsNow,
  signed,
  type TestIssuer,
  type TestKey,
} from '../../../support/tokens.ts';
import { byOutcome } from '../../../support/tables.ts';
import { until } from '../../../support/time.ts';

const iss = 'https://id.example/';
const aud = 'https://pay.example/platform';
const tenant = '01990000-0000-7000-8000-00000000000a';
const otherTenant = '01990000-0000-7000-8000-00000000000b';

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

const claims = (overrides: Record<string, unknown> = {}) => claimsFor({ iss, aud, tenantId: tenant }, overrides);

const request = ({ publicUrl }: Pick<TestService, 'publicUrl'>, token: string, query = '') =>
  fetchResponse(`${publicUrl}/api/application${query}`, { headers: { authorization: `Bearer ${token}` } });

describe('Tokens of a trusted issuer', () => {
  let service: TestService;
  let serviceKey: TestKey;
  const keys: Record<string, TestKey> = {};
  beforeAll(async () => {
    for (const algorithm of algorithms) keys[algorithm] = await newKey(`key-${algorithm}`, algorithm);
    keys['encrypting'] = await newKey('encrypting', 'ES256', { use: 'enc' });
    keys['sameId'] = await newKey('key-ES256', 'ES512');
    keys['shortened'] = await newKey('shortened', 'RS256', { n: 'AQAB' });
    keys['private'] = await newKey('private', 'ES384');
    keys['private'].publicJwk = keys['private'].privateKey.export({ format: 'jwk' });
    Object.assign(keys['private'].publicJwk, { kid: 'private', alg: 'ES384' });
    const secret = { kid: 'secret', publicJwk: { kty: 'oct', kid: 'secret', k: Buffer.from('secret').toString('base64url') } };
    const issuer = await startIssuer([...Object.values(keys), secret as TestKey]);
    const tokenIssuer = { issuer: iss, jwksUrl: issuer.jwksUrl, audience: aud, tenants: [tenant] };
    service = await startService('sqlite', { tokenIssuer });
    serviceKey = await ownKey(service.database);
  });

  it.each(algorithms)('are accepted if they are signed with %s', async (algorithm) => {
    const { status, body } = await request(service, await issued(keys[algorithm]!, claims()));
    expect([status, body]).toEqual([200, { applications: [] }]);
  });

  const tokenWith = (overrides: Record<string, unknown> = {}, header = {}) => signed(keys['ES256']!, claims(overrides), header);

  it('are accepted without a key id if exactly one key matches', async () => {
    expect((await request(service, tokenWith({}, { kid: undefined }))).status).toBe(200);
  });

  const spki = () => createPublicKey(keys['RS256']!.privateKey).export({ type: 'spki', format: 'pem' });
  const hmac = (secret: string | Buffer, kid: string) => {
    const input = compact({ alg: 'HS256', kid }, claims()).slice(0, -1);
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  it.each(
    byOutcome<() => string>({
      '401 TOKEN_ALGORITHM_REFUSED': {
        'not signed': () => compact({ alg: 'none' }, claims()),
        'signed by HS256 with a public key as secret': () => hmac(spki(), 'key-RS256'),
        'signed by HS256 with a published secret': () => hmac('secret', 'secret'),
        'signed with an unsupported algorithm': () => tokenWith({}, { alg: 'ES256K' }),
      },
      '401 TOKEN_KEY_UNKNOWN': {
        'declared with another algorithm than that of the key': () => tokenWith({}, { alg: 'RS256' }),
        'signed with an encryption key': () => signed(keys['encrypting']!, claims()),
        'signed with a key whose private part is published': () => signed(keys['private']!, claims()),
        'signed with a key that is too short': () => signed(keys['shortened']!, claims()),
        'signed with an unpublished key id': () => tokenWith({}, { kid: 'other' }),
        'signed without a key id if several keys match': () => signed(keys['RS256']!, claims(), { kid: undefined }),
        'signed with the key of the service': () => signed(serviceKey, claims()),
        'issued in the name of the service': () => tokenWith({ iss: service.publicUrl }),
      },
      '401 TOKEN_SIGNATURE_WRONG': {
        'tampered with': () => `${tokenWith().slice(0, -20)}${'A'.repeat(20)}`,
      },
      '401 TOKEN_AUDIENCE_WRONG': {
        'issued for the URL of the service instead of the configured audience': () => tokenWith({ aud: service.publicUrl }),
      },
      '401 TOKEN_ISSUER_UNKNOWN': {
        'issued in the issuer’s name without its trailing slash': () => tokenWith({ iss: 'https://id.example' }),
      },
      '401 TOKEN_EXPIRED': {},
      '401 TOKEN_CLAIM_INVALID': {},
      '403 TOKEN_TENANT_REFUSED': {
        'issued for a tenant that the issuer is not trusted for': () => tokenWith({ TenantID: otherTenant }),
      },
      '403 SCOPE_MISSING': {
        'without the scope': () => tokenWith({ scope: 'openid' }),
      },
    }),
  )('are rejected if they are %s', async (_title, make, outcome) => {
    const token = make();
    const response = await request(service, token);
    expect(`${response.status} ${response.body.reason}`).toBe(outcome);
    for (const part of token.split('.').filter(({ length }) => length > 8)) expect(response.text).not.toContain(part);
  });

  it.each<[string, () => Record<string, unknown>, string, object]>([
    [
      'have no iat',
      () => ({ iat: undefined }),
      'TOKEN_CLAIM_INVALID',
      { claim: 'iat', expected: 'a number of seconds since 1970', received: 'none' },
    ],
    [
      'have a string as iat',
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
  ])('are rejected if they %s', async (_title, overrides, reason, metadata) => {
    const { status, body } = await request(service, tokenWith(overrides()));
    expect([status, body.reason, body.metadata]).toEqual([401, reason, metadata]);
  });

  it('are accepted if they are valid for a day, and if the issuer’s clock is 20 seconds fast', async () => {
    const now = secondsNow();
    for (const overrides of [{ iat: now, exp: now + 86_400 }, { iat: now + 20 }]) {
      expect((await request(service, tokenWith(overrides))).status).toBe(200);
    }
  });

  it('for a tenant that the issuer is not trusted for are rejected without a WWW-Authenticate header', async () => {
    const response = await request(service, tokenWith({ TenantID: otherTenant }));
    expect(response.headers.get('www-authenticate')).toBe(null);
    expect(response.body.metadata).toEqual({ claim: 'TenantID' });
  });
});

it('Tokens of an issuer that is trusted for all tenants list only the applications of their tenant and merchant', async () => {
  const key = await newKey('theirs');
  const { jwksUrl } = await startIssuer([key]);
  const service = await startService('sqlite', { tokenIssuer: { issuer: iss, jwksUrl, tenants: 'all' } });
  const seller = await service.createMerchant();
  const other = await service.createMerchant();
  await completeCheckout(seller);
  const tokenWith = (overrides: Record<string, unknown>) => signed(key, claims({ aud: service.publicUrl, ...overrides }));

  const countOf = async (token: string) => (await request(service, token)).body.applications.length as number;
  expect(await countOf(tokenWith({ TenantID: seller.tenantId }))).toBe(1);
  expect(await countOf(tokenWith({ TenantID: seller.tenantId, MerchantID: seller.merchantId }))).toBe(1);
  expect(await countOf(tokenWith({ TenantID: other.tenantId }))).toBe(0);
  expect(await countOf(tokenWith({ TenantID: other.tenantId, MerchantID: seller.merchantId }))).toBe(0);
});

it('The subject of a trusted issuer’s token is logged as a hash, because it can be an e-mail address', async () => {
  const key = await newKey('theirs');
  const { jwksUrl } = await startIssuer([key]);
  const service = await startService('sqlite', { tokenIssuer: { issuer: iss, jwksUrl, tenants: 'all' } });
  const { tenantId } = await service.createMerchant();
  const token = signed(key, claims({ aud: service.publicUrl, TenantID: tenantId, sub: 'jane.doe@id.example' }));

  expect((await request(service, token)).status).toBe(200);
  const line = await until(() =>
    service.logged.map((text): Record<string, unknown> => JSON.parse(text)).find(({ route }) => route === '/api/application'),
  );
  expect(line).toMatchObject({ tenantId, issuer: iss, subject: expect.stringMatching(/^sha256:[0-9a-f]{16}$/) });
  expect(service.logged.join('')).not.toContain('jane');
});

describe('While a trusted issuer is unavailable', () => {
  const startServiceWith = async (response: TestIssuer['respond']) => {
    const issuer = await startIssuer();
    issuer.respond = response;
    const tokenIssuer = { issuer: iss, jwksUrl: issuer.jwksUrl, tenants: 'all' as const };
    return { issuer, service: await startService('sqlite', { tokenIssuer }) };
  };

  it('the service responds to its tokens with 503 and Retry-After, after one request for its keys', async () => {
    const { issuer, service } = await startServiceWith((_request, response) => void response.writeHead(500).end('no'));
    const key = await newKey('theirs');
    const requests = Array.from({ length: 20 }, () => request(service, signed(key, claims())));
    const responses = await Promise.all([...requests, request(service, signed(key, claims()), `/${randomUUID()}`)]);
    for (const { status, body, headers } of responses) {
      expect([status, body.reason, headers.get('retry-after')]).toEqual([503, 'ISSUER_UNAVAILABLE', '5']);
      expect(headers.get('www-authenticate')).toBe(null);
    }
    expect(issuer.requestCount).toBe(1);
    const logLines = service.logged.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ at }) => at === 'issuer');
    expect(logLines).toMatchObject([{ level: 40, failure: 'expected the status 200, but received 500' }]);
  });

  it('the request for its keys times out, and tokens of the service do not wait for it', async () => {
    const { issuer, service } = await startServiceWith(() => undefined);
    const merchant = await service.createMerchant();
    const pending = request(service, signed(await newKey('theirs'), claims()));
    let isFinished = false;
    void pending.then(() => (isFinished = true));

    const key = await ownKey(service.database);
    const token = signed(key, claims({ iss: service.publicUrl, aud: service.publicUrl, TenantID: merchant.tenantId }));
    expect((await request(service, token)).status).toBe(200);
    expect(isFinished).toBe(false);
    expect(await pending).toMatchObject({ status: 503, body: { reason: 'ISSUER_UNAVAILABLE' } });
    expect(issuer.requestCount).toBe(1);
  });
});
