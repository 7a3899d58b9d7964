import type { Insertable, Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { SigningKeyTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';

export type SigningKeyRow = Selectable<SigningKeyTable>;

/** A key without its private half. */
export type KnownKeyRow = Omit<SigningKeyRow, 'private_jwk_json'>;

/** Every key, the newest first, retired ones included. */
export async function allSigningKeys(query: Query): Promise<KnownKeyRow[]> {
  return query
    .selectFrom('signing_keys')
    .select(['kid', 'algorithm', 'public_jwk_json', 'created_at', 'retired_at'])
    .orderBy('created_at', 'desc')
    .orderBy('kid', 'desc')
    .execute();
}

/** The key that signs: the newest that is not retired. */
export async function newestLiveKey(query: Query): Promise<SigningKeyRow | undefined> {
  const [row] = await newestLive(query);
  return row;
}

const newestLive = prepared((query) =>
  query
    .selectFrom('signing_keys')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('kid', 'desc')
    .limit(1),
);

/** The public halves of those that are not retired, the newest first. */
export const livePublicKeys = prepared((query) =>
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

/** Forgets the private half; that there was such a key stays known. */
export async function saveRetiredKey(tx: Tx, kid: string, retiredAt: Instant): Promise<void> {
  await tx.updateTable('signing_keys').set({ private_jwk_json: '', retired_at: retiredAt }).where('kid', '=', kid).execute();
}
