/** Error responses of the platform API for every path below /api. */
import { describe, expect, it } from 'vitest';
import { createListing } from '../../support/applications.ts';
import { fetchResponse, listApplications } from '../../support/service.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

const listed = await createListing();
const publicUrl = listed.service.publicUrl;
const { tenantId, merchantId } = listed.sellers[0]!;
const token = await listed.tokenFor({ tenantId });
await listed.createApplications([{}]);

describe('The platform API', () => {
  const call = (method: string, path: string, init: RequestInit = {}) =>
    fetchResponse(publicUrl + path, { method, headers: { authorization: `Bearer ${token}` }, ...init });

  it('is served at /api/application, with or without a trailing slash, and without a version prefix [PVER-1]', async () => {
    for (const path of ['/api/application', '/api/application/']) {
      const { status, body } = await call('GET', path);
      expect([path, status, body.applications.length]).toEqual([path, 200, 1]);
    }
    for (const path of ['/v2/api/application', '/v1/api/application', '/application']) {
      expect([path, (await fetch(publicUrl + path, { headers: { authorization: `Bearer ${token}` } })).status]).toEqual([
        path,
        404,
      ]);
    }
  });

  it.each(['/api', '/api/applications', '/api/Applications/..%2fx', '/api/nothing'])(
    'responds 404 to the unknown path %s, with and without a token [PERR-6] [PERR-1]',
    async (path) => {
      for (const response of [await call('GET', path), await call('GET', path, { headers: {} })])
        expect(response).toMatchObject({ status: 404, body: { reason: 'UNKNOWN_PATH', metadata: {} } });
    },
  );

  it.each(['POST', 'DELETE'])('responds 405 to %s [PERR-6] [PERR-1]', async (method) => {
    const { status, body, headers } = await call(method, '/api/application', method === 'DELETE' ? {} : { body: '{}' });
    expect([status, body.reason, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'HEAD, GET']);
  });

  it('responds to HEAD with the headers of GET and without the body', async () => {
    await listed.createApplications([{}]);
    const head = await call('HEAD', '/api/application?limit=1');
    const get = await call('GET', '/api/application?limit=1');
    const headersOf = ({ status, headers }: typeof head) => [
      status,
      ...['content-type', 'content-length', 'link'].map((name) => headers.get(name)),
    ];
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(head.text).toBe('');
    expect((await call('HEAD', '/api/application?limit=0')).status).toBe(400);
  });

  it('requires a token before it validates parameters [PERR-2] [PERR-1]', async () => {
    for (const path of ['/api/application', '/api/application?limit=0', '/api/application?colour=1']) {
      for (const headers of [{}, { authorization: 'Basic eDp5' }, { authorization: 'Bearer' }, { authorization: token }]) {
        const response = await fetchResponse(publicUrl + path, { headers });
        expect(response).toMatchObject({ status: 401, body: { reason: 'TOKEN_MISSING', metadata: {} } });
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="fairterm"');
      }
    }
  });

  it('explains in the body and in the WWW-Authenticate header why a token is invalid [PERR-2] [SCOPE-1]', async () => {
    const { status, body, headers } = await listApplications(publicUrl, await listed.tokenFor({ tenantId: NIL }));
    expect([status, body]).toMatchObject([
      401,
      {
        reason: 'TOKEN_CLAIM_INVALID',
        metadata: { claim: 'TenantID', expected: 'a UUID that is not nil', received: 'the nil UUID' },
      },
    ]);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="fairterm", error="invalid_token", error_description="${body.message}"`,
    );
  });

  it.each(['', 'r:applications', 'w:application'])(
    'requires the scope r:application and rejects %j [SCOPE-6] [PERR-3]',
    async (scope) => {
      const scopedToken = await listed.tokenFor({ tenantId, scope });
      const { status, body, headers } = await listApplications(publicUrl, scopedToken, 'limit=0');
      expect([status, body]).toMatchObject([403, { reason: 'SCOPE_MISSING', metadata: { expected: 'r:application' } }]);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="fairterm", error="insufficient_scope", scope="r:application", error_description="${body.message}"`,
      );
    },
  );

  it('reports the first invalid parameter, and the expected and received value [PERR-4] [PERR-1]', async () => {
    const { status, body } = await listApplications(publicUrl, token, 'limit=201&offset=-1');
    expect([status, body]).toMatchObject([
      400,
      {
        reason: 'INVALID_PARAMETER',
        metadata: { parameter: 'limit', expected: 'a whole number from 1 to 200', received: '"201"' },
      },
    ]);
  });

  /** The text of each error, once. Other tests compare reasons and metadata. */
  it.each<[message: string, claims: object | undefined, path: string]>([
    ['There is nothing at /api/x', undefined, '/api/x'],
    ['Expected a bearer token in the header authorization.', undefined, '/api/application'],
    [
      "Expected the token's claim TenantID to be a UUID that is not nil, but received the nil UUID.",
      { tenantId: NIL },
      '/api/application',
    ],
    ['Expected a token with the scope r:application.', { scope: '' }, '/api/application'],
    ['limit: expected a whole number from 1 to 200, but received "201".', {}, '/api/application?limit=201'],
    [
      'Expected merchantID.eq to be the MerchantID of the token, or omitted.',
      { merchantId },
      `/api/application?merchantID.eq=${tenantId}`,
    ],
  ])('sends errors with message, reason, domain and metadata: %s [PERR-1]', async (message, claims, path) => {
    const headers = claims && { authorization: `Bearer ${await listed.tokenFor({ tenantId, ...claims })}` };
    const { body } = await fetchResponse(publicUrl + path, { ...(headers && { headers }) });
    const reason = expect.stringMatching(/^[A-Z_]+$/);
    expect(body).toEqual({ message, reason, domain: 'platform.fairterm', metadata: expect.any(Object) });
  });

  it('does not log personal data, tokens and queries', () => {
    const log = listed.service.logged.join('\n');
    expect(log).toContain('"route":"/api/application"');
    expect(log).not.toMatch(/limit=|colour|acme|eyJ/);
  });
});
