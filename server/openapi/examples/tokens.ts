export const keyPair = { apiKey: 'ft_sandbox_key_0nT1dYbN4VqvB3m0rW2kXw', secret: 'ft_sandbox_secret_…' };

/** What is answered to a key pair. */
export const serviceToken = { token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6…' };

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
