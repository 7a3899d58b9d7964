import type { Insertable, Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import type { SigningKeyTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';

export type SigningKeyRow = Selectable<SigningKeyTable>;

/** Every key, the newest first, retired ones included. */
export function allSigningKeys(query: Query): Promise<SigningKeyRow[]> {
  return query.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').orderBy('kid', 'desc').execute();
}

export async function addSigningKey(tx: Tx, key: Insertable<SigningKeyTable>): Promise<void> {
  await tx.insertInto('signing_keys').values(key).execute();
}

/** Forgets the private half; that there was such a key stays known. */
export async function saveRetiredKey(tx: Tx, kid: string, retiredAt: Instant): Promise<void> {
  await tx.updateTable('signing_keys').set({ private_jwk_json: '', retired_at: retiredAt }).where('kid', '=', kid).execute();
}
