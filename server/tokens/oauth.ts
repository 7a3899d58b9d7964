import Router from '@koa/router';
import type { AccessToken } from '../../shared/wire/token.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { readForm, TOKEN_REQUEST } from '../http/body.ts';
import { authenticateKeyPair, keyPairIn } from '../http/merchant-auth.ts';
import type { KeyPair } from '../merchants/keys.ts';
import { type Issue, SERVICE_SCOPE, TOKEN_SECONDS } from './issue.ts';

const CLIENT_EXPECTED = 'Expected a client_id and client_secret: an API key and its secret.';

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
    const authenticated = hasHeader ? await authenticateKeyPair(ctx, database, inHeader, CLIENT_EXPECTED) : undefined;
    const client = clientOf(await readForm(ctx, TOKEN_REQUEST), inHeader, SERVICE_SCOPE);
    const merchant = authenticated ?? (await authenticateKeyPair(ctx, database, client, CLIENT_EXPECTED));
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

/** Other parameters are ignored. RFC 6749, 3.2. */
const PARAMETERS = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;

/**
 * Reads a request for a token by the grant of client credentials, RFC 6749, 4.4: `client_secret_basic` or `client_secret_post`.
 *
 * @param form - The body; undefined when it is not a form.
 * @param authenticated - The key pair that the client has authenticated with in the header; undefined without such a header.
 * @returns That key pair, or the one in the form; undefined when there is neither.
 * @throws ServiceError `invalid-request`, `unsupported-grant-type`, `invalid-scope`
 */
function clientOf(form: string | undefined, authenticated: KeyPair | undefined, scope: string): KeyPair | undefined {
  if (form === undefined) throw invalid('Expected a body of the type application/x-www-form-urlencoded.');
  const given = parametersIn(form);
  if (given.grant_type === undefined) throw invalid('Expected the parameter grant_type, but received none.');
  if (given.grant_type !== 'client_credentials') {
    throw new ServiceError('unsupported-grant-type', 'Expected the grant_type client_credentials, but received another.');
  }
  if (given.scope?.split(' ').some((one) => one !== scope)) {
    throw new ServiceError('invalid-scope', `Expected the scope ${scope}, or none, but received another.`);
  }
  return clientIn(given, authenticated);
}

function clientIn({ client_id: id, client_secret: secret }: Given, authenticated: KeyPair | undefined): KeyPair | undefined {
  if (!authenticated) return id !== undefined && secret !== undefined ? { apiKey: id, secret } : undefined;
  if (secret !== undefined) throw invalid('Expected the client to authenticate in one way, but received two.');
  if (id !== undefined && id !== authenticated.apiKey) {
    throw invalid('Expected client_id to be the client that authenticates, but received another.');
  }
  return authenticated;
}

type Given = { [Name in (typeof PARAMETERS)[number]]?: string };

/** A parameter without a value counts as left out. */
function parametersIn(form: string): Given {
  const all = new URLSearchParams(form);
  const given: Given = {};
  for (const name of PARAMETERS) {
    const values = all.getAll(name);
    if (values.length > 1) throw invalid(`Expected the parameter ${name} once, but received it ${values.length} times.`);
    if (values[0]) given[name] = values[0];
  }
  return given;
}

/**
 * Decodes a key pair of the header, both halves of which are encoded as in a form before they are put together: RFC 6749, 2.3.1.
 * Returns undefined when they are not.
 */
function decodedPair({ apiKey, secret }: KeyPair): KeyPair | undefined {
  try {
    return { apiKey: decoded(apiKey), secret: decoded(secret) };
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid-request', message);
}
