import Router from '@koa/router';
import { mask } from 'superstruct';
import { AuthorizeServiceRequest } from '../../shared/wire/token.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { keyPairIn, merchantWithKeyPair } from '../http/merchant-auth.ts';
import type { Clock } from '../time.ts';
import { issueToken } from './issue.ts';
import { publishedKeys } from './verify.ts';

/** What a merchant's key pair is good for on the platform API. */
const SERVICE_SCOPE = 'r:application';

/** Tokens for the platform API, and the keys they are signed with. */
export function tokenRoutes(database: Database, clock: Clock, publicUrl: string): Router {
  const router = new Router();

  router.get('/.well-known/jwks.json', async (ctx) => {
    ctx.set('cache-control', 'public, max-age=300');
    ctx.body = await publishedKeys(database);
  });

  router.post('/api/auth/service/authorize', async (ctx) => {
    const { apiKey = '', secret = '' } = mask(ctx.request.body, AuthorizeServiceRequest);
    const said = ctx.get('authorization') === '' ? undefined : (keyPairIn(ctx) ?? { apiKey: '', secret: '' });
    const sent = apiKey === '' && secret === '' ? undefined : { apiKey, secret };
    const pairs = [said, sent].filter((pair) => pair !== undefined);
    const [found, ...others] = await Promise.all(pairs.map((pair) => merchantWithKeyPair(database, pair)));
    const isOne = found && others.every((other) => other?.id === found.id);
    if (!isOne) {
      throw new ServiceError('unauthenticated', 'Expected the key pair of a merchant, by HTTP Basic or as apiKey and secret.');
    }
    const grant = { tenantId: found.tenant_id, merchantId: found.id, scope: SERVICE_SCOPE };
    ctx.set('cache-control', 'no-store');
    ctx.body = { token: await issueToken(database, clock, publicUrl, grant) };
  });

  return router;
}
