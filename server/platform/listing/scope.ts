import { APPLICATION_SCOPE } from '../../../shared/wire/token.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Bearer, Scope } from '../../http/context.ts';
import { isId, NIL_ID } from '../../base/ids.ts';
import { invalidClaim } from '../tokens/verify.ts';

const CLAIMS = new Map(['TenantID', 'MerchantID', 'ProgramID', 'BuyerID'].map((name) => [name.toLowerCase(), name]));

/**
 * Returns the applications that a token gives access to. Rejects invalid claims, because ignoring one would widen the access.
 *
 * @throws ServiceError `token-claim-invalid` - TenantID is missing or nil, a claim is not a UUID, or its name has the wrong case; `scope-missing`
 * @see server/docs/platform-api.md, "Get a token".
 */
export function scopeOf(claims: Readonly<Record<string, unknown>>): Scope {
  requireClaimCase(claims);
  const tenantId = idIn(claims, 'TenantID');
  if (tenantId === undefined) throw invalidClaim('TenantID', 'a UUID that is not nil', 'no claim of that name');
  const scope: Scope = {
    tenantId,
    merchantId: idIn(claims, 'MerchantID'),
    programId: idIn(claims, 'ProgramID'),
    buyerId: idIn(claims, 'BuyerID'),
  };
  const granted = typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : [];
  if (!granted.includes(APPLICATION_SCOPE)) {
    throw new ServiceError('scope-missing', `Expected a token with the scope ${APPLICATION_SCOPE}.`, {
      details: { expected: APPLICATION_SCOPE },
    });
  }
  return scope;
}

/** Returns the access of a verified token, with its issuer and subject. @throws ServiceError - see `scopeOf`. */
export function bearerOf(claims: Readonly<Record<string, unknown>>): Bearer {
  const { iss, sub } = claims;
  return { ...scopeOf(claims), issuer: String(iss), subject: typeof sub === 'string' ? sub : undefined };
}

/**
 * Returns the merchant whose applications are listed: that of the token, or of the query.
 *
 * @throws ServiceError `merchant-conflict` - they differ.
 */
export function merchantFor({ merchantId }: Scope, requested: string | undefined): string | undefined {
  if (merchantId !== undefined && requested !== undefined && requested !== merchantId) {
    throw new ServiceError('merchant-conflict', 'Expected merchantID.eq to be the MerchantID of the token, or omitted.', {
      details: { parameter: 'merchantID.eq', expected: merchantId, received: requested },
    });
  }
  return merchantId ?? requested;
}

function requireClaimCase(claims: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(claims)) {
    const claim = CLAIMS.get(name.toLowerCase());
    if (claim !== undefined && claim !== name) throw invalidClaim(claim, `named ${claim}`, `the name ${name}`);
  }
}

function idIn(claims: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (!Object.hasOwn(claims, name)) return undefined;
  const value = claims[name];
  const id = typeof value === 'string' ? value.toLowerCase() : '';
  if (!isId(id)) throw invalidClaim(name, 'a UUID', describeType(value));
  if (id === NIL_ID) throw invalidClaim(name, 'a UUID that is not nil', 'the nil UUID');
  return id;
}

function describeType(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string that is not a UUID';
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a value of type ${typeof value}`;
}
