import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Database } from '../db/database.ts';
import { newToken } from '../ids.ts';
import type { Instant } from '../time.ts';
import { addSigningKey, allSigningKeys, type SigningKeyRow } from './store.ts';

/** What own tokens are signed with: every JOSE library knows it, its keys are short, and verifying takes no secret. */
export const ALGORITHM = 'ES256';

/** Another key. From its being written on, it is the one that signs. */
export async function newSigningKey(now: Instant): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = newToken(12);
  const named = async (key: CryptoKey): Promise<JWK> => ({ ...(await exportJWK(key)), kid, alg: ALGORITHM, use: 'sig' });
  return {
    kid,
    algorithm: ALGORITHM,
    public_jwk_json: JSON.stringify(await named(publicKey)),
    private_jwk_json: JSON.stringify(await named(privateKey)),
    created_at: now,
    retired_at: null,
  };
}

/** The key that signs; the first one is made here, once, whoever asks for it at the same time. */
export async function signingKey(database: Database, now: Instant): Promise<SigningKeyRow> {
  const isLive = ({ retired_at }: SigningKeyRow) => retired_at === null;
  const newest = (await allSigningKeys(database.query)).find(isLive);
  if (newest) return newest;
  const made = await newSigningKey(now);
  return database.write(async (tx) => {
    const meanwhile = (await allSigningKeys(tx)).find(isLive);
    if (meanwhile) return meanwhile;
    await addSigningKey(tx, made);
    return made;
  });
}
