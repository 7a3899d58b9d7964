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
import { object, type Worded } from './words.ts';

export const tokenWords: readonly Worded[] = [
  object(AuthorizeServiceRequest, 'AuthorizeServiceRequest', 'A key pair, unless it comes as HTTP Basic.', {
    apiKey: 'The API key. Left out, it comes as HTTP Basic.',
    secret: 'Its secret.',
  }),
  object(ServiceToken, 'ServiceToken', 'A token.', {
    token: 'Send it as `authorization: Bearer …`. It is a JWT, whose `exp` says when it ends.',
  }),
  object(TokenRequest, 'TokenRequest', 'A request for a token as OAuth 2 has it: RFC 6749, 4.4.', {
    grant_type: 'What is given for the token: the credentials of the client.',
    scope: 'What the token is for. Left out, the same.',
    client_id: 'The API key. Left out, it comes as HTTP Basic.',
    client_secret: 'Its secret.',
  }),
  object(AccessToken, 'AccessToken', 'A token as OAuth 2 has it: RFC 6749, 5.1.', {
    access_token: 'Send it as `authorization: Bearer …`.',
    token_type: 'How it is sent.',
    expires_in: 'Seconds until it ends.',
    scope: 'What it lets its bearer do.',
  }),
  object(OAuthError, 'OAuthError', 'What OAuth 2 answers to say no: RFC 6749, 5.2.', {
    error: 'Which refusal it is.',
    error_description: 'For an engineer: what was refused, what was expected, what came.',
  }),
  object(AuthorizationServer, 'AuthorizationServer', 'What clients of OAuth 2 need to know: RFC 8414.', {
    issuer: 'Who issues the tokens: their `iss`.',
    token_endpoint: 'Where tokens are got.',
    jwks_uri: 'Where the keys are that tokens are verified with.',
    scopes_supported: 'What tokens may be for.',
    response_types_supported: 'Empty: nobody logs in on a page.',
    grant_types_supported: 'What is given for a token.',
    token_endpoint_auth_methods_supported: 'How a client may say its credentials.',
  }),
  object(KeySet, 'KeySet', 'What tokens are verified with: a JWKS of RFC 7517.', {
    keys: 'The newest first. A token names its own by `kid`.',
  }),
  object(PublicKey, 'PublicKey', 'The public half of a key.', {
    kty: 'Kind of key: an elliptic curve.',
    crv: 'The curve.',
    x: 'First coordinate, base64url.',
    y: 'Second coordinate, base64url.',
    kid: 'Names the key.',
    alg: 'The one algorithm it is for.',
    use: 'For signatures.',
  }),
];
