import type { Insertable, Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { SigningKeyTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';

export type SigningKeyRow = Selectable<SigningKeyTable>;

/** A signing key without its private key. */
export type PublicKeyRow = Omit<SigningKeyRow, 'private_jwk_json'>;

/** Returns all keys, including retired ones, the newest first. */
export async function allSigningKeys(query: Query): Promise<PublicKeyRow[]> {
  return query
    .selectFrom('signing_keys')
    .select(['kid', 'algorithm', 'public_jwk_json', 'created_at', 'retired_at'])
    .orderBy('created_at', 'desc')
    .orderBy('kid', 'desc')
    .execute();
}

/** Returns the key that signs: the newest active one. */
export async function newestActiveKey(query: Query): Promise<SigningKeyRow | undefined> {
  const [row] = await newestActive(query);
  return row;
}

const newestActive = prepared((query) =>
  query
    .selectFrom('signing_keys')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('kid', 'desc')
    .limit(1),
);

/** Returns the public keys that are not retired, the newest first. */
export const activePublicKeys = prepared((query) =>
  query
    .selectFrom('signing_keys')
    .select('public_jwk_json')
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('kid', 'desc'),
);

export async function addSigningKey(tx: Tx, key: Insertable<SigningKeyTable>): Promise<void> {
  await tx.insertInto('signing_keys').values(key).execute();
}

/** Deletes the private key, but not its row. */
export async function saveRetiredKey(tx: Tx, kid: string, retiredAt: Instant): Promise<void> {
  await tx.updateTable('signing_keys').set({ private_jwk_json: '', retired_at: retiredAt }).where('kid', '=', kid).execute();
}
