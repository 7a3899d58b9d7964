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
