import * as wire from '../../../../shared/wire/token.ts';
import { createResource, describing } from '../operation.ts';

export const keyPair = { apiKey: 'ft_sandbox_key_0nT1dYbN4VqvB3m0rW2kXw', secret: 'ft_sandbox_secret_…' };

/** The response for a key pair. */
const serviceToken = { token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6…' };

const tokenRequest = { grant_type: 'client_credentials', client_id: keyPair.apiKey, client_secret: keyPair.secret };

/** The response for `tokenRequest`. */
const accessToken = { access_token: serviceToken.token, token_type: 'Bearer', expires_in: 3_600, scope: 'r:application' };

const authorizationServer = {
  issuer: 'http://localhost:4000',
  token_endpoint: 'http://localhost:4000/oauth/token',
  jwks_uri: 'http://localhost:4000/.well-known/jwks.json',
  scopes_supported: ['r:application'],
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
};

/** Keys for verifying tokens. @see RFC 7517, appendix A.1, for the coordinates. */
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

const describe = describing(wire);

const schemas = [
  describe('AuthorizeServiceRequest', 'A key pair. Omitted with HTTP Basic.', {
    apiKey: 'API key.',
    secret: 'Secret of the API key.',
  }),
  describe('ServiceToken', 'A bearer token for the platform API.', {
    token: 'A JWT, sent as `authorization: Bearer …`. It expires at its claim `exp`.',
  }),
  describe('TokenRequest', 'An access token request: RFC 6749, 4.4.2. The client id and secret are omitted with HTTP Basic.', {
    grant_type: 'Grant type.',
    scope: 'Scope of the token. Default: `r:application`.',
    client_id: 'API key.',
    client_secret: 'Secret of the API key.',
  }),
  describe('AccessToken', 'An access token response: RFC 6749, 5.1.', {
    access_token: 'A JWT, sent as `authorization: Bearer …`.',
    token_type: 'Type of the token.',
    expires_in: 'Lifetime of the token in seconds.',
    scope: 'Scope of the token.',
  }),
  describe('OAuthError', 'An OAuth 2.0 error response: RFC 6749, 5.2.', {
    error: 'Error code.',
    error_description: 'Message for developers: the path, the expected and the received value.',
  }),
  describe('AuthorizationServer', 'OAuth 2.0 server metadata: RFC 8414.', {
    issuer: 'Issuer of the tokens: their claim `iss`.',
    token_endpoint: 'URL of the token endpoint.',
    jwks_uri: 'URL of the JSON Web Key Set.',
    scopes_supported: 'Supported scopes.',
    response_types_supported: 'Empty, because there is no authorization endpoint.',
    grant_types_supported: 'Supported grant types.',
    token_endpoint_auth_methods_supported: 'Supported client authentication methods.',
  }),
  describe('KeySet', 'A JSON Web Key Set: RFC 7517.', {
    keys: 'Public keys, newest first. The `kid` of a token identifies its key.',
  }),
  describe('PublicKey', 'A public key for verifying tokens.', {
    kty: 'Key type: elliptic curve.',
    crv: 'Curve.',
    x: 'X coordinate in base64url.',
    y: 'Y coordinate in base64url.',
    kid: 'Id of the key.',
    alg: 'Signature algorithm.',
    use: 'Use of the key: signatures.',
  }),
];

/** Token requests and public keys in the OpenAPI document. Only token requests need credentials: a key pair. */
export const tokens = createResource('Tokens', 'none', schemas, {
  authorizeService: {
    call: 'POST /api/auth/service/authorize',
    summary: 'Request a service token',
    description:
      'Send the key pair with HTTP Basic, in the body, or both. The token has the scope `r:application` for the applications of the merchant, and expires after an hour.',
    auth: 'token-client',
    errorStyle: 'platform',
    request: {
      body: wire.AuthorizeServiceRequest,
      isOptional: true,
      examples: { pair: { summary: 'In the body', value: keyPair } },
    },
    returns: { description: 'A token.', body: wire.ServiceToken, headers: ['cache-control'], example: serviceToken },
  },
  getToken: {
    call: 'POST /oauth/token',
    summary: 'Request an OAuth 2.0 access token',
    description:
      'The client credentials grant of RFC 6749, 4.4. Send the key pair with HTTP Basic, or as `client_id` and `client_secret` in the form.',
    auth: 'token-client',
    errorStyle: 'oauth',
    request: {
      body: wire.TokenRequest,
      contentType: 'application/x-www-form-urlencoded',
      examples: { pair: { summary: 'In the body', value: tokenRequest } },
    },
    returns: { description: 'A token.', body: wire.AccessToken, headers: ['cache-control'], example: accessToken },
    errors: ['unsupported-grant-type', 'invalid-scope'],
  },
  getAuthorizationServer: {
    call: 'GET /.well-known/oauth-authorization-server',
    summary: 'Retrieve OAuth 2.0 server metadata',
    description: 'RFC 8414. Clients use it to discover the token endpoint and the keys.',
    hasNoInternalError: true,
    returns: {
      description: 'The metadata.',
      body: wire.AuthorizationServer,
      headers: ['cache-control'],
      example: authorizationServer,
    },
  },
  getSigningKeys: {
    call: 'GET /.well-known/jwks.json',
    summary: 'Retrieve the JSON Web Key Set',
    description: 'Public keys for verifying the tokens of this service.',
    returns: { description: 'The keys.', body: wire.KeySet, headers: ['cache-control'], example: keySet },
  },
});
