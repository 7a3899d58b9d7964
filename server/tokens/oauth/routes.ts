import Router from '@koa/router';
import type { AccessToken } from '../../../shared/wire/token.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import { keyPairIn, merchantWithKeyPair } from '../../http/merchant-auth.ts';
import { type Issue, SERVICE_SCOPE, TOKEN_SECONDS } from '../issue.ts';
import { clientOf, type Said } from './client-credentials.ts';

/** Tokens by OAuth 2, RFC 6749, 4.4: a merchant's key pair is a client and its secret. Stands below `oauthErrors` and `formBody`. */
export function oauthRoutes(database: Database, issue: Issue): Router {
  const router = new Router({ prefix: '/oauth' });

  router.post('/token', async (ctx) => {
    const said: Said = ctx.get('authorization') === '' ? 'nothing' : (keyPairIn(ctx) ?? 'unreadable');
    const { rawBody } = ctx.request;
    const pair = clientOf(typeof rawBody === 'string' ? rawBody : undefined, said, SERVICE_SCOPE);
    const merchant = await merchantWithKeyPair(database, pair);
    if (!merchant) {
      throw new ServiceError('unauthenticated', 'Expected a client_id and client_secret: an API key and its secret.');
    }
    const grant = { tenantId: merchant.tenant_id, merchantId: merchant.id, scope: SERVICE_SCOPE };
    ctx.set('cache-control', 'no-store');
    ctx.set('pragma', 'no-cache');
    ctx.body = {
      access_token: await issue(grant),
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: SERVICE_SCOPE,
    } satisfies AccessToken;
  });

  return router;
}
