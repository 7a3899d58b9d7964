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
  /** Space-separated. */
  scope: string;
}

/** What a merchant's key pair is good for on the platform API. */
export const SERVICE_SCOPE = 'r:application';

/** For how long a token holds. */
export const TOKEN_SECONDS = 3_600;

/** Makes bearer tokens of our own. */
export type Issue = (grant: Grant, seconds?: number) => Promise<string>;

/** @param issuer - Where the service is reached; also the tokens' audience. */
export function issuing(database: Database, clock: Clock, issuer: string): Issue {
  // Making a key out of its text takes as long as signing with it.
  let imported: { kid: string; privateKey: CryptoKey } | undefined;

  return async ({ tenantId, merchantId, programId, buyerId, scope }, seconds = TOKEN_SECONDS) => {
    const now = clock.now();
    const { kid, private_jwk_json } = await signingKey(database, now);
    if (imported?.kid !== kid) {
      imported = { kid, privateKey: (await importJWK(JSON.parse(private_jwk_json) as JWK, ALGORITHM)) as CryptoKey };
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
