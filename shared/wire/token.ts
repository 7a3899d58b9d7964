import { array, type Infer, literal, object, string } from 'superstruct';
import { optional, boundedInteger } from './structs.ts';
import { emptyAsAbsent, line } from './fields.ts';

/** The scope of a token that lists applications. */
export const APPLICATION_SCOPE = 'r:application';

/** Request body of `POST /api/auth/service/authorize`: a key pair. Omitted with HTTP Basic authentication. */
export const AuthorizeServiceRequest = object({ apiKey: emptyAsAbsent(line(200)), secret: emptyAsAbsent(line(200)) });

/** A bearer token for the platform API. */
export const ServiceToken = object({ token: string() });

/**
 * Form body of `POST /oauth/token`. The client id and secret are omitted with HTTP Basic authentication. RFC 6749, 4.4.2 and
 * 2.3.1.
 */
export const TokenRequest = object({
  grant_type: literal('client_credentials'),
  scope: optional(literal(APPLICATION_SCOPE)),
  client_id: optional(line(200)),
  client_secret: optional(line(200)),
});

/** Response of `POST /oauth/token`. RFC 6749, 5.1. */
export const AccessToken = object({
  access_token: string(),
  token_type: literal('Bearer'),
  /** Seconds. */
  expires_in: boundedInteger(1),
  scope: string(),
});
export type AccessToken = Infer<typeof AccessToken>;

/** Response of `GET /.well-known/oauth-authorization-server`. RFC 8414, 2. */
export const AuthorizationServer = object({
  issuer: string(),
  token_endpoint: string(),
  jwks_uri: string(),
  scopes_supported: array(string()),
  response_types_supported: array(string()),
  grant_types_supported: array(string()),
  token_endpoint_auth_methods_supported: array(string()),
});
export type AuthorizationServer = Infer<typeof AuthorizationServer>;

/** A public key for verifying tokens. RFC 7517, 4, and RFC 7518, 6.2. */
export const PublicKey = object({
  kty: literal('EC'),
  crv: literal('P-256'),
  x: string(),
  y: string(),
  kid: string(),
  alg: literal('ES256'),
  use: literal('sig'),
});

/** Response of `GET /.well-known/jwks.json`. RFC 7517, 5. */
export const KeySet = object({ keys: array(PublicKey) });

/** Error response of `POST /oauth/token`. RFC 6749, 5.2. */
export const OAuthError = object({ error: string(), error_description: optional(string()) });
export type OAuthError = Infer<typeof OAuthError>;
