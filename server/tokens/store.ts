import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { SigningKeyTable } from '../db/schema.ts';
import { seal, unseal } from '../db/sealed.ts';
import type { Instant } from '../time.ts';

/** A signing key with its opened private key. */
export type SigningKeyRow = Omit<Selectable<SigningKeyTable>, 'sealed'> & {
  private_jwk_json: string;
};

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
  if (!row) return undefined;
  const { sealed, ...key } = row;
  return { ...key, private_jwk_json: unseal(query, sealed, ['signing_keys', row.kid]) as string };
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

export async function addSigningKey(tx: Tx, { private_jwk_json, ...key }: SigningKeyRow): Promise<void> {
  const sealed = seal(tx, private_jwk_json, ['signing_keys', key.kid]);
  await tx
    .insertInto('signing_keys')
    .values({ ...key, sealed })
    .execute();
}

/** Deletes the private key, but not its row. */
export async function saveRetiredKey(tx: Tx, kid: string, retiredAt: Instant): Promise<void> {
  await tx.updateTable('signing_keys').set({ sealed: '', retired_at: retiredAt }).where('kid', '=', kid).execute();
}
