import {
  AccessToken,
  AuthorizationServer,
  AuthorizeServiceRequest,
  KeySet,
  ServiceToken,
  TokenRequest,
} from '../../../shared/wire/token.ts';
import { accessToken, authorizationServer, keyPair, keySet, serviceToken, tokenRequest } from '../examples/tokens.ts';
import type { Operation } from './operation.ts';

export const tokenOperations: readonly Operation[] = [
  {
    id: 'authorizeService',
    method: 'post',
    path: '/api/auth/service/authorize',
    tag: 'Tokens',
    summary: 'Get a token for a key pair',
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
    summary: 'Get a token by OAuth 2',
    description:
      'The same token by the grant of client credentials, RFC 6749, 4.4, for libraries that know it. The body is a form. The key pair comes as HTTP Basic, or as `client_id` and `client_secret`.',
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
    summary: 'What OAuth 2 needs to know',
    description: 'RFC 8414: libraries that are given the address of this service find everything else here.',
    caller: 'anyone',
    standsAlone: true,
    answers: {
      200: { description: 'The addresses.', body: AuthorizationServer, headers: ['cache-control'], example: authorizationServer },
    },
    refusals: [],
  },
  {
    id: 'getSigningKeys',
    method: 'get',
    path: '/.well-known/jwks.json',
    tag: 'Tokens',
    summary: 'Keys that tokens are verified with',
    description: 'The public halves of the keys that are believed: a JWKS, for whoever is sent our tokens and verifies them.',
    caller: 'anyone',
    answers: { 200: { description: 'The keys.', body: KeySet, headers: ['cache-control'], example: keySet } },
    refusals: [],
  },
];
