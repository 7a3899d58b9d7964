import type { AuthorizationServer } from '../../../shared/wire/token.ts';
import { SERVICE_SCOPE } from '../issue.ts';

/** What clients of OAuth need to know, RFC 8414: there is no page where people log in, and one grant. */
export function serverMetadata(issuer: string): AuthorizationServer {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [SERVICE_SCOPE],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}
