import { AuthorizeServiceRequest, KeySet, PublicKey, ServiceToken } from '../../../shared/wire/token.ts';
import { object, type Worded } from './words.ts';

export const tokenWords: readonly Worded[] = [
  object(AuthorizeServiceRequest, 'AuthorizeServiceRequest', 'A key pair, unless it comes as HTTP Basic.', {
    apiKey: 'The API key. Left out, it comes as HTTP Basic.',
    secret: 'Its secret.',
  }),
  object(ServiceToken, 'ServiceToken', 'A token.', {
    token: 'Send it as `authorization: Bearer …`. It is a JWT, whose `exp` says when it ends.',
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
