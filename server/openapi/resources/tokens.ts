import { type NamedSchema, objectSchema, type Operation, type Resource } from '../operation.ts';
import {
  AccessToken,
  AuthorizationServer,
  AuthorizeServiceRequest,
  KeySet,
  OAuthError,
  PublicKey,
  ServiceToken,
  TokenRequest,
} from '../../../shared/wire/token.ts';

export const keyPair = { apiKey: 'ft_sandbox_key_0nT1dYbN4VqvB3m0rW2kXw', secret: 'ft_sandbox_secret_…' };

/** What is answered to a key pair. */
export const serviceToken = { token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6…' };

export const tokenRequest = { grant_type: 'client_credentials', client_id: keyPair.apiKey, client_secret: keyPair.secret };

/** What is answered to `tokenRequest`. */
export const accessToken = { access_token: serviceToken.token, token_type: 'Bearer', expires_in: 3_600, scope: 'r:application' };

export const authorizationServer = {
  issuer: 'http://localhost:4000',
  token_endpoint: 'http://localhost:4000/oauth/token',
  jwks_uri: 'http://localhost:4000/.well-known/jwks.json',
  scopes_supported: ['r:application'],
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
};

/** What tokens are verified with. @see RFC 7517, appendix A.1, for the curve's point. */
export const keySet = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      kid: 'kPzsb2iZ1kGk7WjK',
      alg: 'ES256',
      use: 'sig',
    },
  ],
};

const schemas: readonly NamedSchema[] = [
  objectSchema(AuthorizeServiceRequest, 'AuthorizeServiceRequest', 'A key pair, unless it comes as HTTP Basic.', {
    apiKey: 'The API key. Left out, it comes as HTTP Basic.',
    secret: 'Its secret.',
  }),
  objectSchema(ServiceToken, 'ServiceToken', 'A token.', {
    token: 'Send it as `authorization: Bearer …`. It is a JWT, whose `exp` says when it ends.',
  }),
  objectSchema(TokenRequest, 'TokenRequest', 'A request for a token as OAuth 2 has it: RFC 6749, 4.4.', {
    grant_type: 'The grant: client credentials.',
    scope: 'What the token is for. Left out, the same.',
    client_id: 'The API key. Left out, it comes as HTTP Basic.',
    client_secret: 'Its secret.',
  }),
  objectSchema(AccessToken, 'AccessToken', 'A token as OAuth 2 has it: RFC 6749, 5.1.', {
    access_token: 'Send it as `authorization: Bearer …`.',
    token_type: 'How it is sent.',
    expires_in: 'Seconds until it ends.',
    scope: 'What it lets its bearer do.',
  }),
  objectSchema(OAuthError, 'OAuthError', 'Error response of OAuth 2.0: RFC 6749, 5.2.', {
    error: 'Error code.',
    error_description: 'For an engineer: the path, what was expected, what was received.',
  }),
  objectSchema(AuthorizationServer, 'AuthorizationServer', 'OAuth 2.0 server metadata: RFC 8414.', {
    issuer: 'Who issues the tokens: their `iss`.',
    token_endpoint: 'The token endpoint.',
    jwks_uri: 'Address of the JSON Web Key Set.',
    scopes_supported: 'Scopes that tokens can have.',
    response_types_supported: 'Empty: there is no authorization endpoint.',
    grant_types_supported: 'Supported grants.',
    token_endpoint_auth_methods_supported: 'Supported client authentication methods.',
  }),
  objectSchema(KeySet, 'KeySet', 'Keys for verifying tokens: a JWKS, RFC 7517.', {
    keys: 'The newest first. A token names its own by `kid`.',
  }),
  objectSchema(PublicKey, 'PublicKey', 'The public half of a key.', {
    kty: 'Kind of key: an elliptic curve.',
    crv: 'The curve.',
    x: 'First coordinate, base64url.',
    y: 'Second coordinate, base64url.',
    kid: 'Names the key.',
    alg: 'The one algorithm it is for.',
    use: 'For signatures.',
  }),
];

const operations: readonly Operation[] = [
  {
    id: 'authorizeService',
    method: 'post',
    path: '/api/auth/service/authorize',
    tag: 'Tokens',
    summary: 'Request a service token',
    description:
      'The key pair comes as HTTP Basic, in the body, or as both. The token lets its bearer list the applications of that merchant, with the scope `r:application`, for an hour.',
    caller: 'client',
    wording: 'platform',
    request: { body: AuthorizeServiceRequest, isOptional: true, examples: { pair: { summary: 'In the body', value: keyPair } } },
    answers: { 200: { description: 'A token.', body: ServiceToken, headers: ['cache-control'], example: serviceToken } },
    refusals: [],
  },
  {
    id: 'getToken',
    method: 'post',
    path: '/oauth/token',
    tag: 'Tokens',
    summary: 'Request an OAuth 2.0 access token',
    description:
      'The client credentials grant of RFC 6749, 4.4. The body is a form. The key pair comes as HTTP Basic, or as `client_id` and `client_secret`.',
    caller: 'client',
    wording: 'oauth',
    request: {
      body: TokenRequest,
      type: 'application/x-www-form-urlencoded',
      examples: { pair: { summary: 'In the body', value: tokenRequest } },
    },
    answers: { 200: { description: 'A token.', body: AccessToken, headers: ['cache-control'], example: accessToken } },
    refusals: ['unsupported-grant-type', 'invalid-scope'],
  },
  {
    id: 'getAuthorizationServer',
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    tag: 'Tokens',
    summary: 'OAuth 2.0 server metadata',
    description: 'RFC 8414: clients discover the other endpoints from the address of this service.',
    caller: 'anyone',
    standsAlone: true,
    answers: {
      200: { description: 'The metadata.', body: AuthorizationServer, headers: ['cache-control'], example: authorizationServer },
    },
    refusals: [],
  },
  {
    id: 'getSigningKeys',
    method: 'get',
    path: '/.well-known/jwks.json',
    tag: 'Tokens',
    summary: 'JSON Web Key Set',
    description: 'The public keys for verifying tokens of this service.',
    caller: 'anyone',
    answers: { 200: { description: 'The keys.', body: KeySet, headers: ['cache-control'], example: keySet } },
    refusals: [],
  },
];

export const tokens: Resource = { operations, schemas };
