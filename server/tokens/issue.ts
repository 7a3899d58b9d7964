import { importJWK, type JWK, SignJWT } from 'jose';
import type { Database } from '../db/database.ts';
import { type Clock, epochMs } from '../time.ts';
import { ALGORITHM, signingKey } from './signing-keys.ts';

/** Whom a token speaks for, and what it lets its bearer do. */
export interface Grant {
  tenantId: string;
  merchantId?: string | undefined;
  programId?: string | undefined;
  buyerId?: string | undefined;
  /** Parted by spaces. */
  scope: string;
}

/** For how long a token holds. */
export const TOKEN_SECONDS = 3_600;

/** A bearer token of our own. @param issuer - Where the service is reached; also the token's audience. */
export async function issueToken(
  database: Database,
  clock: Clock,
  issuer: string,
  { tenantId, merchantId, programId, buyerId, scope }: Grant,
  seconds = TOKEN_SECONDS,
): Promise<string> {
  const now = clock.now();
  const { kid, private_jwk_json } = await signingKey(database, now);
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
    .sign(await importJWK(JSON.parse(private_jwk_json) as JWK, ALGORITHM));
}
