import Router from '@koa/router';
import type { Next } from 'koa';
import { mask } from 'superstruct';
import { type AuthorizationServer, AuthorizeServiceRequest } from '../../shared/wire/token.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { readJson, TOKEN_REQUEST } from '../http/body.ts';
import { authenticateKeyPair, keyPairIn } from '../http/merchant-auth.ts';
import { type Issue, SERVICE_SCOPE } from './issue.ts';
import { publishedKeys } from './issuers.ts';

/** Public documents: the keys that tokens are verified with, and the OAuth 2.0 server metadata. */
export function tokenDocumentRoutes(database: Database, publicUrl: string): Router {
  const router = new Router({ prefix: '/.well-known' });

  router.get('/jwks.json', async (ctx) => {
    ctx.set('cache-control', PUBLIC);
    ctx.body = await publishedKeys(database);
  });

  router.get('/oauth-authorization-server', (ctx) => {
    ctx.set('cache-control', PUBLIC);
    ctx.body = serverMetadata(publicUrl);
  });

  return router;
}

/** RFC 8414. There is no authorization endpoint, and one grant. */
function serverMetadata(issuer: string): AuthorizationServer {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [SERVICE_SCOPE],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

const PUBLIC = 'public, max-age=300';

const EXPECTED = 'Expected the key pair of a merchant, by HTTP Basic or as apiKey and secret.';

/**
 * A token for a key pair: that of HTTP Basic, which is checked before the body is read, of the body, or both when they are of one
 * merchant. Stands below `platformErrors`.
 */
export function tokenRoutes(database: Database, issue: Issue) {
  const router = new Router({ prefix: '/api/auth/service/authorize' });

  router.post('/', async (ctx) => {
    const hasHeader = ctx.get('authorization') !== '';
    const inHeader = hasHeader ? await authenticateKeyPair(ctx, database, keyPairIn(ctx), EXPECTED) : undefined;
    await readJson(ctx, TOKEN_REQUEST);
    const { body } = ctx.request;
    // Some clients send an empty list.
    const { apiKey = '', secret = '' } = Array.isArray(body) ? {} : mask(body, AuthorizeServiceRequest);
    const isInBody = apiKey !== '' || secret !== '' || !inHeader;
    const found = isInBody ? await authenticateKeyPair(ctx, database, { apiKey, secret }, EXPECTED) : inHeader;
    if (inHeader && found.id !== inHeader.id) throw new ServiceError('unauthenticated', EXPECTED);
    ctx.set('cache-control', 'no-store');
    ctx.body = { token: await issue({ tenantId: found.tenant_id, merchantId: found.id, scope: SERVICE_SCOPE }) };
  });

  // Another method is responded to with 405, and not with the request for a token that other paths below /api have.
  const goNoFurther = ({ matched = [] }: { matched?: readonly unknown[] }, next: Next) =>
    matched.length > 0 ? undefined : next();
  return [router.allowedMethods(), router.middleware(), goNoFurther] as const;
}
