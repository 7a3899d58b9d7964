import { describe, expect, it } from 'vitest';
import { fetchResponse, startService } from '../../../support/service.ts';
import { claimsFor, compact, startIssuer, newKey, ownKey, secondsNow, signed } from '../../../support/tokens.ts';

describe('Logs and responses', () => {
  it('contain no token, secret or private key after failed requests', async () => {
    const externalKey = await newKey('theirs');
    const issuer = await startIssuer([externalKey]);
    const tokenIssuer = { issuer: 'https://id.example', jwksUrl: `${issuer.jwksUrl}?secret=canary-in-address`, tenants: [] };
    const service = await startService(undefined, { tokenIssuer });
    const merchant = await service.createMerchant();
    const serviceKey = await ownKey(service.database);
    const claims = (overrides: object = {}) =>
      claimsFor({ iss: service.publicUrl, tenantId: merchant.tenantId }, { canary: 'canary-in-claims', ...overrides });

    const tokens = [
      signed(serviceKey, claims({ exp: 1 })),
      signed(serviceKey, claims({ nbf: secondsNow() + 600 })),
      signed(serviceKey, claims({ aud: 'canary-in-audience' })),
      signed(serviceKey, claims({ iss: 'canary-in-issuer' })),
      signed(serviceKey, claims({ TenantID: 'canary-in-tenant' })),
      signed(serviceKey, claims({ exp: 'canary-in-exp' })),
      signed(serviceKey, claims({ scope: 'canary-in-scope' })),
      signed(serviceKey, claims(), { kid: 'canary-in-kid' }),
      signed(serviceKey, claims(), { alg: 'canary-in-alg' }),
      signed(serviceKey, claims(), { typ: 'canary-in-type' }),
      signed(serviceKey, claims(), { crit: ['canary-in-crit'] }),
      signed(await newKey(serviceKey.kid), claims()),
      signed(externalKey, claims({ iss: 'https://id.example' })),
      compact({ alg: 'none' }, claims()),
      compact('canary-in-header', 'canary-in-payload', 'canary-in-signature'),
      `canary-that-is-no-token`,
    ];
    const bodies: string[] = [];
    const call = async (path: string, init: RequestInit = {}) => {
      const { status, text, headers } = await fetchResponse(service.publicUrl + path, init);
      bodies.push([status, text, ...headers.values()].join('\n'));
      return status;
    };
    const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });
    for (const token of tokens) expect([401, 403]).toContain(await call('/api/application', bearer(token)));
    for (const token of tokens) expect(await call('/api/application', { headers: { authorization: token } })).toBe(401);
    issuer.respond = (_request, response) => void response.writeHead(200).end('<p>canary-in-page</p>');
    const other = await startService(undefined, { tokenIssuer: { ...tokenIssuer, tenants: 'all' } });
    const untrusted = signed(externalKey, claims({ iss: 'https://id.example' }));
    expect((await fetchResponse(`${other.publicUrl}/api/application`, bearer(untrusted))).status).toBe(503);

    const { apiKey, secret } = merchant;
    const wrongSecret = 'canary-in-secret';
    const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const post = (path: string, authorization: string, body: string, type = 'application/x-www-form-urlencoded') =>
      call(path, { method: 'POST', headers: { 'content-type': type, ...(authorization && { authorization }) }, body });
    const authorize = '/api/auth/service/authorize';
    expect(await post(authorize, basic(apiKey, wrongSecret), '')).toBe(401);
    expect(await post(authorize, basic('canary-in-key', secret), '')).toBe(401);
    expect(await post(authorize, '', JSON.stringify({ apiKey, secret: wrongSecret }))).toBe(401);
    expect(await post(authorize, basic(apiKey, secret), `{"secret":["${secret}"]}`)).toBe(400);
    expect(await post(authorize, basic(apiKey, secret), `{"secret":"${secret}`)).toBe(400);
    expect(await post(authorize, '', JSON.stringify({ apiKey, secret: `${secret}\n` }))).toBe(400);
    expect(await post('/oauth/token', basic(apiKey, wrongSecret), 'grant_type=client_credentials')).toBe(401);
    expect(await post('/oauth/token', '', `grant_type=canary-in-grant&client_secret=${secret}`)).toBe(400);
    expect(await post('/oauth/token', '', `grant_type=client_credentials&scope=canary-in-scope&client_secret=${secret}`)).toBe(
      400,
    );
    expect(await post('/oauth/token', basic(apiKey, secret), `grant_type=client_credentials&client_secret=${secret}`)).toBe(400);
    expect(await post(`/oauth/token?client_secret=${secret}`, '', 'grant_type=client_credentials')).toBe(401);
    for (const path of ['/.well-known/jwks.json', '/.well-known/oauth-authorization-server']) expect(await call(path)).toBe(200);

    // Responses to internal errors.
    await service.database.close();
    expect(await post(authorize, basic(apiKey, secret), '')).toBe(500);
    expect(await post('/oauth/token', basic(apiKey, secret), 'grant_type=client_credentials')).toBe(500);

    const privatePart = serviceKey.privateKey.export({ format: 'jwk' }).d as string;
    const tokenParts = [...tokens, untrusted].flatMap((token) => token.split('.')).filter(({ length }) => length > 8);
    const output = [...service.logged, ...other.logged, ...bodies].join('\n');
    for (const hidden of [...tokenParts, secret, privatePart, 'canary']) expect(output).not.toContain(hidden);
    expect(service.logged.length).toBeGreaterThan(2 * tokens.length);
    expect(output).toContain('expected a JSON Web Key Set, but received something else');
  });
});
