import Router from '@koa/router';
import type { Next } from 'koa';
import { mask } from 'superstruct';
import { AuthorizeServiceRequest } from '../../shared/wire/token.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { readJson, TOKEN_REQUEST } from '../http/body.ts';
import { authenticateKeyPair, keyPairIn } from '../http/merchant-auth.ts';
import { type Issue, SERVICE_SCOPE } from './issue.ts';
import { serverMetadata } from './oauth/metadata.ts';
import { publishedKeys } from './own-keys.ts';

/** What anybody may know of our tokens: the keys they are signed with, and how OAuth's clients get one. */
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
    // Some clients send a list where they have nothing to say.
    const { apiKey = '', secret = '' } = Array.isArray(body) ? {} : mask(body, AuthorizeServiceRequest);
    const isInBody = apiKey !== '' || secret !== '' || !inHeader;
    const found = isInBody ? await authenticateKeyPair(ctx, database, { apiKey, secret }, EXPECTED) : inHeader;
    if (inHeader && found.id !== inHeader.id) throw new ServiceError('unauthenticated', EXPECTED);
    ctx.set('cache-control', 'no-store');
    ctx.body = { token: await issue({ tenantId: found.tenant_id, merchantId: found.id, scope: SERVICE_SCOPE }) };
  });

  // Whoever comes another way is told so, rather than asked for the token they are here to get.
  const goNoFurther = ({ matched = [] }: { matched?: readonly unknown[] }, next: Next) =>
    matched.length > 0 ? undefined : next();
  return [router.allowedMethods(), router.middleware(), goNoFurther] as const;
}
