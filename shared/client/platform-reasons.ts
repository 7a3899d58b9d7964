/** Error reasons of the platform API in this version. Their meaning never changes; `/docs` describes each. */
export type KnownPlatformReason =
  | 'HTTPS_REQUIRED'
  | 'UNAUTHENTICATED'
  | 'INVALID_REQUEST'
  | 'UNKNOWN_PATH'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_ENCODING'
  | 'INVALID_PARAMETER'
  | 'TOKEN_MISSING'
  | 'TOKEN_MALFORMED'
  | 'TOKEN_ALGORITHM_REFUSED'
  | 'TOKEN_KEY_UNKNOWN'
  | 'TOKEN_SIGNATURE_WRONG'
  | 'TOKEN_ISSUER_UNKNOWN'
  | 'TOKEN_AUDIENCE_WRONG'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_NOT_YET_VALID'
  | 'TOKEN_CLAIM_INVALID'
  | 'TOKEN_TENANT_REFUSED'
  | 'ISSUER_UNAVAILABLE'
  | 'SCOPE_MISSING'
  | 'MERCHANT_CONFLICT'
  // The service's own fault, which refuses nothing.
  | 'FAULT';

/** A known reason, or one of a newer service. */
export type PlatformReason = KnownPlatformReason | (string & {});
