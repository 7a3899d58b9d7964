import Router from '@koa/router';
import type { Next } from 'koa';
import { mask } from 'superstruct';
import {
  type AccessToken,
  APPLICATION_SCOPE,
  type AuthorizationServer,
  AuthorizeServiceRequest,
} from '../../../shared/wire/token.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { formReader, jsonReader, TOKEN_REQUEST } from '../../http/body.ts';
import type { State } from '../../http/context.ts';
import { authenticateKeyPair, keyPairIn } from '../../merchants/access/merchant-auth.ts';
import type { KeyPair } from '../../merchants/keys.ts';
import { type IssueToken, TOKEN_SECONDS } from './issue.ts';
import { publishedKeys } from './issuers.ts';

/** Public documents: the keys that tokens are verified with, and the OAuth 2.0 server metadata. */
export function tokenDocumentRoutes(database: Database, publicUrl: string): Router<State> {
  const router = new Router<State>({ prefix: '/.well-known' });

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

/** RFC 8414. There is no authorization endpoint. */
function serverMetadata(issuer: string): AuthorizationServer {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [APPLICATION_SCOPE],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

const PUBLIC = 'public, max-age=300';

const EXPECTED = 'Expected the key pair of a merchant, by HTTP Basic or as apiKey and secret.';

/**
 * Exchanges a key pair for a token. The key pair is in the `Authorization` header, which is verified before the body is read, in the
 * body, or in both if they belong to the same merchant. Mounted below `platformErrors`.
 */
export function tokenRoutes(database: Database, issue: IssueToken) {
  const router = new Router<State>({ prefix: '/api/auth/service/authorize' });
  const readJson = jsonReader(TOKEN_REQUEST);

  router.post('/', async (ctx) => {
    const hasHeader = ctx.get('authorization') !== '';
    const inHeader = hasHeader ? await authenticateKeyPair(ctx, database, keyPairIn(ctx), EXPECTED) : undefined;
    await readJson(ctx);
    const { body } = ctx.request;
    // Some clients send an empty array.
    const { apiKey = '', secret = '' } = Array.isArray(body) ? {} : mask(body, AuthorizeServiceRequest);
    const inBody = apiKey !== '' || secret !== '' ? { apiKey, secret } : undefined;
    const found = inHeader && !inBody ? inHeader : await authenticateKeyPair(ctx, database, inBody, EXPECTED);
    if (inHeader && found.id !== inHeader.id) throw new ServiceError('unauthenticated', EXPECTED);
    ctx.body = { token: await issue({ tenantId: found.tenantId, merchantId: found.id, scope: APPLICATION_SCOPE }) };
  });

  // Other methods respond with 405. Without this, the routes below /api would respond with 401.
  const stopIfMatched = async ({ matched = [] }: { matched?: readonly unknown[] }, next: Next) => {
    if (matched.length === 0) await next();
  };
  return [router.allowedMethods(), router.middleware(), stopIfMatched] as const;
}

const CLIENT_EXPECTED = 'Expected a client_id and client_secret: an API key and its secret.';

/**
 * Tokens by OAuth 2 client credentials, RFC 6749, 4.4. A merchant's key pair is the client id and secret. A key pair in the header is
 * verified before the body is read. Mounted below `oauthErrors`.
 */
export function oauthRoutes(database: Database, issue: IssueToken): Router<State> {
  const router = new Router<State>({ prefix: '/oauth' });
  const readForm = formReader(TOKEN_REQUEST);

  router.post('/token', async (ctx) => {
    const hasHeader = ctx.get('authorization') !== '';
    const encoded = keyPairIn(ctx);
    const inHeader = encoded && decodeKeyPair(encoded);
    const authenticated = hasHeader ? await authenticateKeyPair(ctx, database, inHeader, CLIENT_EXPECTED) : undefined;
    const client = parseTokenRequest(await readForm(ctx), inHeader);
    const merchant = authenticated ?? (await authenticateKeyPair(ctx, database, client, CLIENT_EXPECTED));
    const grant = { tenantId: merchant.tenantId, merchantId: merchant.id, scope: APPLICATION_SCOPE };
    ctx.set('pragma', 'no-cache');
    ctx.body = {
      access_token: await issue(grant),
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: APPLICATION_SCOPE,
    } satisfies AccessToken;
  });

  return router;
}

/** Other parameters are ignored. RFC 6749, 3.2. */
const PARAMETERS = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;

/**
 * Parses a token request with the client credentials grant, RFC 6749, 4.4: `client_secret_basic` or `client_secret_post`.
 *
 * @param form - The body; undefined if it is not a form.
 * @param inHeader - The key pair in the header, if any.
 * @returns The key pair in the header or in the form; undefined without one.
 * @throws ServiceError `invalid-request`, `unsupported-grant-type`, `invalid-scope`
 */
function parseTokenRequest(form: string | undefined, inHeader: KeyPair | undefined): KeyPair | undefined {
  if (form === undefined) throw invalid('Expected a body of the type application/x-www-form-urlencoded.');
  const given = parseParameters(form);
  if (given.grant_type === undefined) throw invalid('Expected the parameter grant_type, but received none.');
  if (given.grant_type !== 'client_credentials') {
    throw new ServiceError('unsupported-grant-type', 'Expected the grant_type client_credentials, but received another.');
  }
  if (given.scope?.split(' ').some((scope) => scope !== APPLICATION_SCOPE)) {
    throw new ServiceError('invalid-scope', `Expected the scope ${APPLICATION_SCOPE}, or no scope, but received another.`);
  }
  return clientOf(given, inHeader);
}

function clientOf({ client_id: id, client_secret: secret }: TokenParameters, inHeader: KeyPair | undefined): KeyPair | undefined {
  if (!inHeader) return id !== undefined && secret !== undefined ? { apiKey: id, secret } : undefined;
  if (secret !== undefined) throw invalid('Expected one way of client authentication, but received two.');
  if (id !== undefined && id !== inHeader.apiKey) {
    throw invalid('Expected client_id to be the client that authenticates, but received another.');
  }
  return inHeader;
}

type TokenParameters = { [Name in (typeof PARAMETERS)[number]]?: string };

/** Parameters without a value are treated as omitted, RFC 6749, 3.2. */
function parseParameters(form: string): TokenParameters {
  const all = new URLSearchParams(form);
  const given: TokenParameters = {};
  for (const name of PARAMETERS) {
    const values = all.getAll(name);
    if (values.length > 1) throw invalid(`Expected the parameter ${name} once, but received it ${values.length} times.`);
    if (values[0]) given[name] = values[0];
  }
  return given;
}

/** Decodes the form encoding of a key pair in the header, RFC 6749, 2.3.1. Returns undefined if it is invalid. */
function decodeKeyPair({ apiKey, secret }: KeyPair): KeyPair | undefined {
  try {
    return { apiKey: formDecode(apiKey), secret: formDecode(secret) };
  } catch {
    return undefined;
  }
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid-request', message);
}
