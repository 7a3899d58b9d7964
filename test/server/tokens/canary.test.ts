import { describe, expect, it } from 'vitest';
import { fetchResponse, startService, type TestService } from '../../support/service.ts';
import { compact, startIssuer, newKey, ownKey, secondsNow, signed } from '../../support/tokens.ts';

describe('No token, secret or private key', () => {
  it('appears in a log, an error or a document, whatever fails', async () => {
    const theirs = await newKey('theirs');
    const issuer = await startIssuer([theirs]);
    const tokenIssuer = { issuer: 'https://id.example', jwksUrl: `${issuer.jwksUrl}?secret=canary-in-address`, tenants: [] };
    const service = await startService(undefined, { tokenIssuer });
    const merchant = await service.createMerchant();
    const own = await ownKey(service.database);
    const claims = (over: object = {}) => ({
      iss: service.publicUrl,
      aud: service.publicUrl,
      exp: secondsNow() + 600,
      TenantID: merchant.tenantId,
      scope: 'r:application',
      canary: 'canary-in-claims',
      ...over,
    });

    const tokens = [
      signed(own, claims({ exp: 1 })),
      signed(own, claims({ nbf: secondsNow() + 600 })),
      signed(own, claims({ aud: 'canary-in-audience' })),
      signed(own, claims({ iss: 'canary-in-issuer' })),
      signed(own, claims({ TenantID: 'canary-in-tenant' })),
      signed(own, claims({ exp: 'canary-in-exp' })),
      signed(own, claims({ scope: 'canary-in-scope' })),
      signed(own, claims(), { kid: 'canary-in-kid' }),
      signed(own, claims(), { alg: 'canary-in-alg' }),
      signed(own, claims(), { typ: 'canary-in-type' }),
      signed(own, claims(), { crit: ['canary-in-crit'] }),
      signed(await newKey(own.kid), claims()),
      signed(theirs, claims({ iss: 'https://id.example' })),
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
    const untrusted = signed(theirs, claims({ iss: 'https://id.example' }));
    expect((await fetchResponse(`${other.publicUrl}/api/application`, bearer(untrusted))).status).toBe(503);

    const { apiKey, secret } = merchant;
    const wrong = 'canary-in-secret';
    const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const post = (path: string, authorization: string, body: string, type = 'application/x-www-form-urlencoded') =>
      call(path, { method: 'POST', headers: { 'content-type': type, ...(authorization && { authorization }) }, body });
    const authorize = '/api/auth/service/authorize';
    expect(await post(authorize, basic(apiKey, wrong), '')).toBe(401);
    expect(await post(authorize, basic('canary-in-key', secret), '')).toBe(401);
    expect(await post(authorize, '', JSON.stringify({ apiKey, secret: wrong }))).toBe(401);
    expect(await post(authorize, basic(apiKey, secret), `{"secret":["${secret}"]}`)).toBe(400);
    expect(await post(authorize, basic(apiKey, secret), `{"secret":"${secret}`)).toBe(400);
    expect(await post(authorize, '', JSON.stringify({ apiKey, secret: `${secret}\n` }))).toBe(400);
    expect(await post('/oauth/token', basic(apiKey, wrong), 'grant_type=client_credentials')).toBe(401);
    expect(await post('/oauth/token', '', `grant_type=canary-in-grant&client_secret=${secret}`)).toBe(400);
    expect(await post('/oauth/token', '', `grant_type=client_credentials&scope=canary-in-scope&client_secret=${secret}`)).toBe(
      400,
    );
    expect(await post('/oauth/token', basic(apiKey, secret), `grant_type=client_credentials&client_secret=${secret}`)).toBe(400);
    expect(await post(`/oauth/token?client_secret=${secret}`, '', 'grant_type=client_credentials')).toBe(401);
    for (const path of ['/.well-known/jwks.json', '/.well-known/oauth-authorization-server']) expect(await call(path)).toBe(200);

    // An internal error reveals nothing.
    await service.database.close();
    expect(await post(authorize, basic(apiKey, secret), '')).toBe(500);
    expect(await post('/oauth/token', basic(apiKey, secret), 'grant_type=client_credentials')).toBe(500);

    const half = own.privateKey.export({ format: 'jwk' }).d as string;
    const pieces = [...tokens, untrusted].flatMap((token) => token.split('.')).filter((piece) => piece.length > 8);
    const output = [...logOf(service), ...logOf(other), ...bodies].join('\n');
    for (const hidden of [...pieces, secret, half, 'canary']) expect(output).not.toContain(hidden);
    expect(logOf(service).length).toBeGreaterThan(2 * tokens.length);
    expect(output).toContain('expected a JSON Web Key Set, but received something else');
  });
});

const logOf = ({ logged }: TestService): string[] => logged;
