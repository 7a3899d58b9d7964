import { fromJson } from '../../db/json.ts';
import { importJWK, SignJWT } from 'jose';
import { findProgramById } from '../../lending/programs/store.ts';
import type { Database, Readable } from '../../db/database.ts';
import { invalidRequest, type ServiceError } from '../../base/errors.ts';
import type { Scope } from '../../http/context.ts';
import { isId, NIL_ID } from '../../base/ids.ts';
import { findMerchant, findTenant } from '../../merchants/store.ts';
import { type Clock, epochMs } from '../../base/time.ts';
import { ALGORITHM, signingKey } from './signing-keys.ts';

/** The access that a token grants to its bearer. */
export interface Grant extends Scope {
  /** Space-separated. */
  scope: string;
}

/** Lifetime of a token. */
export const TOKEN_SECONDS = 3_600;

/** Issues a bearer token, which expires after `seconds`; by default, an hour. */
export type IssueToken = (grant: Grant, seconds?: number) => Promise<string>;

/**
 * Returns a function that issues tokens, signed with the service's current key.
 *
 * @param clock - The actual time, which a sandbox does not move.
 * @param issuer - Public URL of the service: the issuer and the audience of the tokens.
 */
export function createTokenIssuer(database: Database, clock: Clock, issuer: string): IssueToken {
  // Cached, because importing a key takes as long as signing with it.
  let imported: { kid: string; privateKey: CryptoKey | Uint8Array } | undefined;

  return async ({ tenantId, merchantId, programId, buyerId, scope }, seconds = TOKEN_SECONDS) => {
    const now = clock.now();
    const { kid, privateJwkJson } = await signingKey(database, now);
    if (imported?.kid !== kid) {
      imported = { kid, privateKey: await importJWK(fromJson(privateJwkJson), ALGORITHM) };
    }
    const nowSeconds = Math.floor(epochMs(now) / 1_000);
    const claims = {
      TenantID: tenantId,
      ...(merchantId && { MerchantID: merchantId }),
      ...(programId && { ProgramID: programId }),
      ...(buyerId && { BuyerID: buyerId }),
      scope,
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(buyerId ?? merchantId ?? tenantId)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + seconds)
      .sign(imported.privateKey);
  };
}

/** RFC 6749, 3.3. */
const SCOPE = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/;

/**
 * Validates a grant that an operator requests. The tenant must exist, the merchant must belong to the tenant, and the program to that
 * merchant or, if no merchant is requested, to any merchant of the tenant. Buyer ids are assigned by the platform, so only their
 * format is checked.
 *
 * @returns The grant with its ids in lower case.
 * @throws ServiceError `invalid-request` - names the option.
 */
export async function validateGrant({ query }: Readable, grant: Grant): Promise<Grant> {
  const tenantId = parseId('tenant', grant.tenantId);
  const merchantId = grant.merchantId === undefined ? undefined : parseId('merchant', grant.merchantId);
  const programId = grant.programId === undefined ? undefined : parseId('program', grant.programId);
  const buyerId = grant.buyerId === undefined ? undefined : parseId('buyer', grant.buyerId);
  if (!SCOPE.test(grant.scope)) throw invalid('scope', 'space-separated scopes such as r:application', grant.scope);

  if (!(await findTenant(query, tenantId))) throw invalid('tenant', 'the id of a tenant', tenantId);
  const isOfTenant = async (id: string) => (await findMerchant(query, id))?.tenantId === tenantId;
  if (merchantId !== undefined && !(await isOfTenant(merchantId))) {
    throw invalid('merchant', `the id of a merchant of the tenant ${tenantId}`, merchantId);
  }
  if (programId !== undefined) {
    const programMerchantId = (await findProgramById(query, programId))?.merchantId;
    const isAllowed =
      programMerchantId !== undefined &&
      (merchantId === undefined ? await isOfTenant(programMerchantId) : programMerchantId === merchantId);
    const owner = merchantId === undefined ? `tenant ${tenantId}` : `merchant ${merchantId}`;
    if (!isAllowed) throw invalid('program', `the id of a program of the ${owner}`, programId);
  }
  return { tenantId, merchantId, programId, buyerId, scope: grant.scope };
}

function parseId(option: string, value: string): string {
  const id = value.toLowerCase();
  if (!isId(id) || id === NIL_ID) throw invalid(option, 'a UUID that is not nil', value);
  return id;
}

function invalid(option: string, expected: string, received: string): ServiceError {
  return invalidRequest(option, expected, JSON.stringify(received.slice(0, 100)));
}
