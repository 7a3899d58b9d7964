import Router from '@koa/router';
import type { AccessToken } from '../../../shared/wire/token.ts';
import type { Database } from '../../db/database.ts';
import { readForm, TOKEN_REQUEST } from '../../http/body.ts';
import { authenticateKeyPair, keyPairIn } from '../../http/merchant-auth.ts';
import { type Issue, SERVICE_SCOPE, TOKEN_SECONDS } from '../issue.ts';
import { clientOf, decodedPair } from './client-credentials.ts';

const EXPECTED = 'Expected a client_id and client_secret: an API key and its secret.';

/**
 * Tokens by OAuth 2, RFC 6749, 4.4: a merchant's key pair is a client and its secret. Key pairs in the header are checked before the
 * body is read. Stands below `oauthErrors`.
 */
export function oauthRoutes(database: Database, issue: Issue): Router {
  const router = new Router({ prefix: '/oauth' });

  router.post('/token', async (ctx) => {
    const hasHeader = ctx.get('authorization') !== '';
    const said = keyPairIn(ctx);
    const inHeader = said && decodedPair(said);
    const authenticated = hasHeader ? await authenticateKeyPair(ctx, database, inHeader, EXPECTED) : undefined;
    const client = clientOf(await readForm(ctx, TOKEN_REQUEST), inHeader, SERVICE_SCOPE);
    const merchant = authenticated ?? (await authenticateKeyPair(ctx, database, client, EXPECTED));
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
