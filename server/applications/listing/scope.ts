import { ServiceError } from '../../errors.ts';
import { isId, NIL_ID } from '../../ids.ts';

/** What a caller may see: the applications of one tenant, and of those only the ones that everything else named here is true of. */
export interface Scope {
  tenantId: string;
  merchantId?: string | undefined;
  programId?: string | undefined;
  buyerId?: string | undefined;
}

/** The scope a token must have to list applications. */
const LIST_APPLICATIONS = 'r:application';

const CLAIMS = new Map(['TenantID', 'MerchantID', 'ProgramID', 'BuyerID'].map((name) => [name.toLowerCase(), name]));

/**
 * What the claims of a token let its bearer see. Claims that are there and cannot be used let nothing be seen: to pass over one
 * would be to show more.
 *
 * @throws ServiceError `token-claim-invalid` - TenantID is missing or nil, a claim is no UUID, or its name has other capitals; `scope-missing`
 * @see Interface, "Platform API": scope rules.
 */
export function scopeOf(claims: Readonly<Record<string, unknown>>): Scope {
  requireNames(claims);
  const tenantId = idIn(claims, 'TenantID');
  if (tenantId === undefined) throw invalid('TenantID', 'a UUID that is not nil', 'none');
  const scope: Scope = {
    tenantId,
    merchantId: idIn(claims, 'MerchantID'),
    programId: idIn(claims, 'ProgramID'),
    buyerId: idIn(claims, 'BuyerID'),
  };
  const granted = typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : [];
  if (!granted.includes(LIST_APPLICATIONS)) {
    throw new ServiceError('scope-missing', `Expected a token with the scope ${LIST_APPLICATIONS}.`, {
      details: { expected: LIST_APPLICATIONS },
    });
  }
  return scope;
}

/**
 * The merchant whose applications are listed: that of the token, or the one that is asked for.
 *
 * @throws ServiceError `merchant-conflict` - they are two.
 */
export function merchantAskedFor({ merchantId }: Scope, asked: string | undefined): string | undefined {
  if (merchantId !== undefined && asked !== undefined && asked !== merchantId) {
    throw new ServiceError('merchant-conflict', 'Expected merchantID.eq to be the MerchantID of the token, or left out.', {
      details: { parameter: 'merchantID.eq', expected: merchantId, received: asked },
    });
  }
  return merchantId ?? asked;
}

function requireNames(claims: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(claims)) {
    const meant = CLAIMS.get(name.toLowerCase());
    if (meant !== undefined && meant !== name) throw invalid(meant, 'written so', 'it in other capitals');
  }
}

function idIn(claims: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (!Object.hasOwn(claims, name)) return undefined;
  const value = claims[name];
  const id = typeof value === 'string' ? value.toLowerCase() : '';
  if (!isId(id)) throw invalid(name, 'a UUID', kindOf(value));
  if (id === NIL_ID) throw invalid(name, 'a UUID that is not nil', 'the nil UUID');
  return id;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'another text';
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a value of type ${typeof value}`;
}

function invalid(claim: string, expected: string, received: string): ServiceError {
  return new ServiceError(
    'token-claim-invalid',
    `Expected the token's claim ${claim} to be ${expected}, but received ${received}.`,
    {
      details: { claim, expected, received },
    },
  );
}
